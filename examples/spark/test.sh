#!/bin/sh
# The same bytes from a Spark cluster of two workers as from one machine.
#
#   ARSG=target/release/arsg examples/spark/test.sh
#
# Needs Java and PySpark (`pip install pyspark`); MASTER overrides local-cluster mode.
set -e
here=$(cd "$(dirname "$0")" && pwd)
arsg=$(cd "$(dirname "${ARSG:-target/release/arsg}")" && pwd)/$(basename "${ARSG:-arsg}")
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
"$arsg" init p > /dev/null
for tree in p/trees/*.rs3; do "$arsg" -q convert "$tree" - --to json; done > trees.jsonl
corpus=p/corpus/news.jsonl

spark-submit --master "${MASTER:-local-cluster[2,1,1024]}" "$here/parse.py" "$corpus" trees.jsonl out --arsg "$arsg" --partitions 5 2> spark.log ||
  { cat spark.log; exit 1; }

mkdir one
"$arsg" -q parse "$corpus" --json --grammar finance > one/trees.jsonl
"$arsg" -q annotate "$corpus" --grammar finance --gold trees.jsonl --labels one/labels --rules one/rules.arsg
{ printf 'grammar learned 1.0\nschema "finance"\nstart Report\ndecide counts\n\n'; cat one/rules.arsg; } > one/whole.arsg
"$arsg" -q merge one/whole.arsg --output one/grammar.arsg

cmp out/trees.jsonl one/trees.jsonl
cmp out/grammar.arsg one/grammar.arsg
"$arsg" -q check out/grammar.arsg 2> check.log
echo "the same: $(wc -l < one/trees.jsonl) trees, $(grep -c '<-' one/grammar.arsg) productions from $(ls out/shard-*.arsg | wc -l) shards"
