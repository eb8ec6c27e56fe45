#!/bin/sh
# The same bytes from a Spark cluster of four workers as from one machine.
#
#   examples/spark/test.sh
#
# Needs Java, and a Python with arsg, PySpark, pandas and pyarrow (PYTHON names another than `python3`); MASTER overrides
# local-cluster mode, TEXTS=100000 parses so many made-up texts as well and says how fast.
set -e
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
PYSPARK_PYTHON=$(command -v "$python")
PYSPARK_DRIVER_PYTHON=$PYSPARK_PYTHON
export PYSPARK_PYTHON PYSPARK_DRIVER_PYTHON
arsg() { "$python" -m arsg "$@"; }
spark_submit=$(dirname "$PYSPARK_PYTHON")/spark-submit
[ -x "$spark_submit" ] || spark_submit=spark-submit
submit() {
  "$spark_submit" "$@" 2> spark.log || { cat spark.log; exit 1; }
}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
master=${MASTER:-local-cluster[4,1,1024]}
arsg init p > /dev/null
for tree in p/trees/*.rs3; do arsg -q convert "$tree" - --to json; done > trees.jsonl
corpus=p/corpus/news.jsonl

submit --master "$master" "$here/parse.py" "$corpus" trees.jsonl out --partitions 5

mkdir one
arsg -q parse "$corpus" --json --grammar finance > one/trees.jsonl
arsg -q annotate "$corpus" --grammar finance --gold trees.jsonl --labels one/labels --rules one/rules.arsg
{ printf 'grammar learned 1.0\nschema "finance"\nstart Report\ndecide counts\n\n'; cat one/rules.arsg; } > one/whole.arsg
arsg -q merge one/whole.arsg --output one/grammar.arsg

cmp out/trees.jsonl one/trees.jsonl
cmp out/grammar.arsg one/grammar.arsg
arsg -q check out/grammar.arsg 2> check.log
echo "the same: $(wc -l < one/trees.jsonl) trees, $(grep -c '<-' one/grammar.arsg) productions from $(ls out/shard-*.arsg | wc -l) shards"

[ -n "$TEXTS" ] || exit 0
arsg -q generate -n "$TEXTS" --seed 1 --out many.jsonl > /dev/null
: > none.jsonl
seconds() { begun=$(date +%s); "$@"; echo $(($(date +%s) - begun)); }
echo "one process, one thread: $TEXTS texts in $(seconds arsg -q parse many.jsonl --json --grammar finance --threads 1 --out one/many.jsonl) s"
echo "Spark, $master: $(seconds submit --master "$master" "$here/parse.py" many.jsonl none.jsonl many --partitions 16) s"
cmp many/trees.jsonl one/many.jsonl
echo "the same: $TEXTS trees"
