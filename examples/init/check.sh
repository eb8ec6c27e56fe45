#!/bin/sh
# What must hold before a change of the grammar is taken in.
set -e
arsg check --deny-warnings
arsg fmt --check
arsg test
arsg coverage cases corpus texts --summary --min 30 --max-fallback 30
echo "all checks passed"
