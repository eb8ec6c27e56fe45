#!/bin/sh
# Runs every fuzz target for so many seconds (default 600), from seeds that the project has.
# Needs a nightly toolchain and cargo-fuzz (`cargo install cargo-fuzz`).
set -e
cd "$(dirname "$0")/.."
seconds=${1:-600}
targets="grammar schema sogou document rs3 rs4 dis rsd sexp tree label cases settings summary model edit"
for target in $targets; do mkdir -p "fuzz/corpus/$target"; done
# seeds TARGET FILE...: small files only, named by their whole paths.
seeds() {
  target=$1
  shift
  for file; do
    if [ -f "$file" ] && [ "$(wc -c < "$file")" -lt 65536 ]; then
      cp "$file" "fuzz/corpus/$target/$(echo "$file" | tr / _)"
    fi
  done
}
seeds grammar grammars/*.arsg tests/diagnostics/*/*.arsg
seeds edit grammars/*.arsg tests/diagnostics/*/*.arsg
seeds schema schemas/*.toml tests/diagnostics/*/*.toml
seeds rs3 tests/diagnostics/*/*.rs3
seeds rs4 tests/diagnostics/*/*.rs4 tests/data/*.rs4
seeds rsd tests/diagnostics/*/*.rsd
seeds sexp tests/diagnostics/*/*.sexp
seeds tree tests/diagnostics/*/*.json
seeds label tests/diagnostics/*/*.label
seeds cases tests/diagnostics/*/*.case tests/cases/*.case
seeds settings examples/init/arsg.toml
seeds dis tests/diagnostics/*/*.dis
arsg=${ARSG:-target/release/arsg}
if [ -x "$arsg" ]; then
  folder=$(mktemp -d)
  "$arsg" init "$folder/p" > /dev/null
  cp "$folder"/p/trees/*.rs3 fuzz/corpus/rs3
  "$arsg" -q convert "$folder/p/trees" fuzz/corpus/dis --to dis
  for format in rs4 rsd sexp; do "$arsg" -q convert "$folder/p/trees" fuzz/corpus/$format --to $format; done
  "$arsg" -q convert "$folder/p/trees" fuzz/corpus/tree --to json
  "$arsg" -q summarize "$folder/p/corpus" --json > fuzz/corpus/summary/one.json
  "$arsg" -q annotate "$folder/p/corpus" --automatic --grammar finance --labels fuzz/corpus/label > /dev/null
  head -3 "$folder/p/corpus/news.jsonl" > fuzz/corpus/document/news.jsonl
  "$arsg" -q embed train "$folder/p/corpus" -o fuzz/corpus/model/a.safetensors --width 4 --epochs 1 > /dev/null
  rm -r "$folder"
fi
printf '<doc>\n<url>http://a.example.com/1</url>\n<docno>1</docno>\n<contenttitle>降息</contenttitle>\n<content>央行宣布降息。</content>\n</doc>\n' > fuzz/corpus/sogou/one.dat
for target in $targets; do
  echo "== $target"
  cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -rss_limit_mb=4096 -print_final_stats=0 2>&1 | tail -3
done
