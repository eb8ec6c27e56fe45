#!/bin/sh
# Reviews a change of a grammar: runs the checks and prints the comment for the pull request.
#
#   action/review.sh [BASE]        BASE is the revision that the change is compared with (default: HEAD~1)
#
# Run it in a project (a folder with `arsg.toml`). `ARSG` names the command, `CASES` the cases (default: cases), `COVERAGE` what
# coverage is counted over (default: the cases). Exit code 1 where a check does not pass; the comment is printed all the same.
set -u
arsg=${ARSG:-arsg}
base=${1:-HEAD~1}
cases=${CASES:-cases}
coverage=${COVERAGE:-$cases}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# The line of one check: its name, whether it passed, and what it said last.
check() {
  name=$1
  shift
  if "$@" > "$work/said" 2>&1; then
    mark=✅
  else
    mark=❌
    failed=1
    { printf '\n<details open><summary>%s</summary>\n\n```text\n' "$name"; head -60 "$work/said" | sed "s/\`\`\`/'''/g"; printf '```\n\n</details>\n'; } >> "$work/details"
  fi
  last=$(grep -v '^[[:space:]]*$' "$work/said" | tail -1 | tr '|`' "/'" )
  printf '| %s | %s | %s |\n' "$mark" "$name" "$last" >> "$work/table"
}

: > "$work/table"
: > "$work/details"
check check "$arsg" check --deny-warnings
check layout "$arsg" fmt --check
check cases "$arsg" test "$cases"
check coverage "$arsg" coverage $coverage --summary
if ! "$arsg" diff "$base" --on "$cases" --format markdown --width 120 > "$work/diff" 2> "$work/said"; then
  { printf '### Grammar: it cannot be compared with `%s`\n\n```text\n' "$base"; cat "$work/said"; printf '```\n'; } > "$work/diff"
fi

# Readers of the comment find it again by its first line, so that it is updated, not repeated.
echo '<!-- arsg-review -->'
cat "$work/diff"
printf '\n| | check | |\n|---|---|---|\n'
cat "$work/table" "$work/details"
exit $failed
