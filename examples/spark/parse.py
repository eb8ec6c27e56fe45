"""Spreads `arsg parse` and `arsg annotate` over a Spark cluster, and merges what comes back.

    spark-submit parse.py CORPUS.jsonl TREES OUT --arsg PATH [--partitions N] [--grammar NAME|FILE]

Every partition is one process of arsg that reads JSON lines and writes JSON lines, so nothing of Spark is needed
inside arsg and nothing of arsg inside Spark. OUT/trees.jsonl has the trees in the order of the corpus; OUT/grammar.arsg is
the merge of the rules that the gold trees of each partition contribute (TREES: JSON lines, too). Both are the same bytes as one
machine makes: parsing is pure, and merging adds counts.
"""

import argparse
import json
import os
import subprocess
import tempfile

from pyspark.sql import SparkSession

HEADER = 'grammar learned 1.0\nschema "finance"\nstart Report\ndecide counts\n\n'


def arsg(binary, *words, lines=None):
    """Runs arsg with lines on its stdin; what it writes, as lines."""
    text = None if lines is None else "".join(line + "\n" for line in lines)
    done = subprocess.run([binary, "-q", *words], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"arsg {' '.join(words)}: {done.stderr}")
    return done.stdout.splitlines()


def parse(binary, grammar, partition):
    """The trees of a partition, each with the number of its text."""
    numbered = list(partition)
    if not numbered:
        return
    trees = arsg(binary, "parse", "-", "--json", "--from", "jsonl", "--grammar", grammar, lines=[line for line, _ in numbered])
    for (_, number), tree in zip(numbered, trees, strict=True):
        yield number, tree


def learn(binary, trees_by_id, partition):
    """The rules that the gold trees of a partition contribute, as a grammar."""
    lines = [line for line, _ in partition]
    if not lines:
        return
    with tempfile.TemporaryDirectory() as folder:
        docs, trees, rules = (os.path.join(folder, name) for name in ("docs.jsonl", "trees.jsonl", "rules.arsg"))
        with open(docs, "w", encoding="utf-8") as out:
            out.writelines(line + "\n" for line in lines)
        with open(trees, "w", encoding="utf-8") as out:
            out.writelines(trees_by_id[json.loads(line)["id"]] + "\n" for line in lines)
        labels = os.path.join(folder, "labels")
        arsg(binary, "annotate", docs, "--grammar", "finance", "--gold", trees, "--labels", labels, "--rules", rules)
        with open(rules, encoding="utf-8") as file:
            yield HEADER + file.read()


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("corpus")
    words.add_argument("trees")
    words.add_argument("out")
    words.add_argument("--arsg", default="arsg")
    words.add_argument("--partitions", type=int, default=4)
    words.add_argument("--grammar", default="finance")
    given = words.parse_args()
    os.makedirs(given.out, exist_ok=True)

    spark = SparkSession.builder.appName("arsg").getOrCreate()
    context = spark.sparkContext
    with open(given.corpus, encoding="utf-8") as file:
        texts = [line.rstrip("\n") for line in file if line.strip()]
    with open(given.trees, encoding="utf-8") as file:
        trees = {json.loads(line)["id"]: line.rstrip("\n") for line in file if line.strip()}
    numbered = context.parallelize(list(zip(texts, range(len(texts)))), given.partitions)

    binary, grammar = given.arsg, given.grammar
    parsed = numbered.mapPartitions(lambda part: parse(binary, grammar, part)).sortByKey().values().collect()
    with open(os.path.join(given.out, "trees.jsonl"), "w", encoding="utf-8") as out:
        out.writelines(tree + "\n" for tree in parsed)

    gold = context.broadcast(trees)
    shards = numbered.mapPartitions(lambda part: learn(binary, gold.value, part)).collect()
    paths = []
    for number, shard in enumerate(shards):
        paths.append(os.path.join(given.out, f"shard-{number}.arsg"))
        with open(paths[-1], "w", encoding="utf-8") as out:
            out.write(shard)
    arsg(binary, "merge", *paths, "--output", os.path.join(given.out, "grammar.arsg"))
    spark.stop()


if __name__ == "__main__":
    main()
