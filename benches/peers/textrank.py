"""TextRank: sumy and arsg on the same texts with the same sentences, in one run.

    pip install sumy jieba
    cargo build --release --example rank_sentences
    python3 benches/peers/textrank.py target/release/examples/rank_sentences articles.jsonl

Both get the sentences apart, cut words with jieba (each its own implementation), and rank. Prints documents a
second. sumy runs on one core: so does everything in Python.

sumy counts a common word once for each pair of its occurrences and joins every sentence with itself; arsg counts
different words and joins different sentences, as Mihalcea and Tarau (2004) have it. So ranks are compared with
sumy's power iteration over that formula, and first sentences with those of sumy as it is.
"""
import json
import re
import subprocess
import sys
import tempfile
import time

import jieba
import numpy
from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.nlp.tokenizers import Tokenizer
from sumy.summarizers.text_rank import TextRankSummarizer

SENTENCES = 20
SECONDS = 5.0


def sentences(text):
    found = [s.strip() for s in re.split(r"(?<=[。！？])|\n", text)]
    return [s for s in found if len(s) > 4][:SENTENCES]


class Printed(TextRankSummarizer):
    """sumy with the formula of the paper."""

    def _create_matrix(self, document):
        words = [{w for w in jieba.cut(str(s)) if w[0].isalpha()} for s in document.sentences]
        size = len(words)
        weights = numpy.zeros((size, size))
        for i, one in enumerate(words):
            for j, other in enumerate(words):
                if i != j and one & other:
                    norm = numpy.log(len(one)) + numpy.log(len(other))
                    weights[i, j] = len(one & other) / (norm if norm > 0 else 1)
        sums = weights.sum(axis=1)[:, numpy.newaxis]
        weights = numpy.divide(weights, sums, out=numpy.full_like(weights, 1 / size), where=sums > 0)
        return numpy.full((size, size), (1 - self.damping) / size) + self.damping * weights


def ranks_of(summarizer, tokenizer, document):
    model = ObjectDocumentModel([Paragraph([Sentence(s, tokenizer) for s in document])])
    ratings = summarizer.rate_sentences(model)
    return [ratings[sentence] for sentence in model.sentences]


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
    first = [max(range(len(r)), key=lambda at: (r[at], -at)) for r in ours["ranks"]]
    same = sum(a == b for a, b in zip(best, first)) / len(documents)
    printed = Printed()
    printed.epsilon = 1e-9
    worst, agree = 0.0, 0
    for document, ranks in zip(documents, ours["ranks"]):
        expected = ranks_of(printed, tokenizer, document)
        worst = max(worst, *(abs(a / len(ranks) - b) for a, b in zip(ranks, expected)))
        agree += max(expected) - expected[first[documents.index(document)]] < 1e-6
    rate, single = ours["documents_a_second"], alone["documents_a_second"]
    print(f"{len(documents)} documents of {SENTENCES} sentences")
    print(f"sumy {theirs:,.0f} documents/s; arsg {rate:,.0f} on all cores ({rate / theirs:,.0f} times), "
          f"{single:,.0f} on one ({single / theirs:,.0f} times)")
    print(f"by the same formula: greatest difference of a rank {worst:.1e}, same sentence first in "
          f"{agree / len(documents):.0%}; as sumy weighs sentences: same first in {same:.0%}")


if __name__ == "__main__":
    main()
