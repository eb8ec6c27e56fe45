"""Spreads parsing and the counting of rules over a Spark cluster, and merges what comes back.

    spark-submit parse.py CORPUS.jsonl TREES OUT [--partitions N] [--grammar NAME|FILE]

Every worker has the wheel of arsg (`pip install bindings/python`). `mapInPandas` hands it the texts in batches; the parser travels
with the function, its grammar and all files of it included. OUT/trees.jsonl has the trees in the order of the corpus;
OUT/grammar.arsg is the merge of the rules that the gold trees of each partition contribute (TREES: JSON lines, too). Both are
the same bytes as one machine makes: parsing is pure, and merging adds counts.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import arsg
import pandas
from pyspark.sql import SparkSession

HEADER = 'grammar learned 1.0\nschema "finance"\nstart Report\ndecide counts\n\n'


def command(*words):
    """Runs the command that the wheel carries."""
    done = subprocess.run([sys.executable, "-m", "arsg", "-q", *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"arsg {' '.join(words)}: {done.stderr}")


def parse(parser):
    """The trees of batches of texts, each with the number of its text; one thread, for Spark has its own."""

    def work(frames):
        for frame in frames:
            trees = parser.pipe(map(json.loads, frame["line"]), threads=1)
            yield pandas.DataFrame({"number": frame["number"], "line": [tree.to_json() for tree in trees]})

    return work


def learn(trees_by_id):
    """The rules that the gold trees of a partition contribute, as a grammar."""

    def work(frames):
        lines = [line for frame in frames for line in frame["line"]]
        if not lines:
            return
        with tempfile.TemporaryDirectory() as folder:
            docs, trees, rules = (os.path.join(folder, name) for name in ("docs.jsonl", "trees.jsonl", "rules.arsg"))
            with open(docs, "w", encoding="utf-8") as out:
                out.writelines(line + "\n" for line in lines)
            with open(trees, "w", encoding="utf-8") as out:
                out.writelines(trees_by_id.value[json.loads(line)["id"]] + "\n" for line in lines)
            labels = os.path.join(folder, "labels")
            command("annotate", docs, "--grammar", "finance", "--gold", trees, "--labels", labels, "--rules", rules)
            with open(rules, encoding="utf-8") as file:
                yield pandas.DataFrame({"grammar": [HEADER + file.read()]})

    return work


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("corpus")
    words.add_argument("trees")
    words.add_argument("out")
    words.add_argument("--partitions", type=int, default=4)
    words.add_argument("--grammar", default="finance")
    given = words.parse_args()
    os.makedirs(given.out, exist_ok=True)
    is_file = given.grammar.endswith(".arsg")
    parser = arsg.Parser(arsg.Grammar.load(given.grammar) if is_file else given.grammar)

    spark = SparkSession.builder.appName("arsg").getOrCreate()
    with open(given.corpus, encoding="utf-8") as file:
        texts = [line.rstrip("\n") for line in file if line.strip()]
    numbered = pandas.DataFrame({"number": range(len(texts)), "line": texts})
    numbered = spark.createDataFrame(numbered, "number long, line string").repartition(given.partitions).cache()

    parsed = numbered.mapInPandas(parse(parser), "number long, line string").collect()
    with open(os.path.join(given.out, "trees.jsonl"), "w", encoding="utf-8") as out:
        out.writelines(row.line + "\n" for row in sorted(parsed, key=lambda row: row.number))

    with open(given.trees, encoding="utf-8") as file:
        trees = {json.loads(line)["id"]: line.rstrip("\n") for line in file if line.strip()}
    if trees:
        gold = spark.sparkContext.broadcast(trees)
        shards = numbered.mapInPandas(learn(gold), "grammar string").collect()
        paths = []
        for number, shard in enumerate(sorted(row.grammar for row in shards)):
            paths.append(os.path.join(given.out, f"shard-{number}.arsg"))
            with open(paths[-1], "w", encoding="utf-8") as out:
                out.write(shard)
        command("merge", *paths, "--output", os.path.join(given.out, "grammar.arsg"))
    spark.stop()


if __name__ == "__main__":
    main()
