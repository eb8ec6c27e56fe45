"""TextRank: sumy and arsg on the same texts with the same sentences, in one run.

    pip install sumy jieba
    cargo build --release --example rank_sentences
    python3 benches/peers/textrank.py target/release/examples/rank_sentences articles.jsonl

Both get the sentences apart, cut words with jieba (each its own implementation), and rank. Prints documents a
second and how often both put the same sentence first. sumy runs on one core: so does everything in Python.
"""
import json
import re
import subprocess
import sys
import tempfile
import time

import jieba
from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.nlp.tokenizers import Tokenizer
from sumy.summarizers.text_rank import TextRankSummarizer

SENTENCES = 20
SECONDS = 5.0


def sentences(text):
    found = [s.strip() for s in re.split(r"(?<=[。！？])|\n", text)]
    return [s for s in found if len(s) > 4][:SENTENCES]


def best_of_sumy(summarizer, tokenizer, document):
    model = ObjectDocumentModel([Paragraph([Sentence(s, tokenizer) for s in document])])
    ratings = summarizer.rate_sentences(model)
    order = {sentence: at for at, sentence in enumerate(model.sentences)}
    return order[max(ratings, key=lambda s: (ratings[s], -order[s]))]


def main():
    binary, articles = sys.argv[1:3]
    with open(articles, encoding="utf-8") as lines:
        documents = [sentences(json.loads(line)["text"]) for line in lines]
    documents = [d for d in documents if len(set(d)) == SENTENCES]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for document in documents:
            file.write(json.dumps(document, ensure_ascii=False) + "\n")
        file.flush()
        ours = json.loads(subprocess.run([binary, file.name, str(SECONDS)], check=True, capture_output=True).stdout)
        one = subprocess.run([binary, file.name, str(SECONDS)], check=True, capture_output=True,
                             env={"RAYON_NUM_THREADS": "1"})
        alone = json.loads(one.stdout)
    jieba.initialize()
    summarizer, tokenizer = TextRankSummarizer(), Tokenizer("chinese")
    best = [best_of_sumy(summarizer, tokenizer, d) for d in documents]
    start, done = time.perf_counter(), 0
    while time.perf_counter() - start < SECONDS:
        best_of_sumy(summarizer, tokenizer, documents[done % len(documents)])
        done += 1
    theirs = done / (time.perf_counter() - start)
    same = sum(a == b for a, b in zip(best, ours["best"])) / len(documents)
    rate, single = ours["documents_a_second"], alone["documents_a_second"]
    print(f"{len(documents)} documents of {SENTENCES} sentences")
    print(f"sumy {theirs:,.0f} documents/s; arsg {rate:,.0f} on all cores ({rate / theirs:,.0f} times), "
          f"{single:,.0f} on one ({single / theirs:,.0f} times); same sentence first in {same:.0%}")


if __name__ == "__main__":
    main()
