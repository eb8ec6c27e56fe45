"""ROUGE: arsg against the rouge-score package on 200 pairs, to 1e-6.

    pip install rouge-score jieba
    cargo build --release --example rouge_pairs
    python3 benches/peers/rouge.py target/release/examples/rouge_pairs articles.jsonl

Pairs are stretches of the articles, half of them by characters and half by jieba words. Both sides get the
same tokens: rouge-score through a tokenizer that splits at blanks. N and W are means of these figures, so
they are recomputed from rouge-score's as well.
"""
import json
import random
import subprocess
import sys

import jieba
from rouge_score import rouge_scorer

PAIRS = 200
MEASURES = ("rouge1", "rouge2", "rougeL")


class Blanks:
    def tokenize(self, text):
        return text.split()


def tokens(text, by_words):
    found = jieba.cut(text) if by_words else text
    return [token for token in found if any(c.isalnum() for c in token) and not token.isspace()]


def main():
    binary, articles = sys.argv[1:3]
    with open(articles, encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    draw = random.Random(1)
    pairs = []
    for number in range(PAIRS):
        by_words = number % 2 == 0
        one = draw.choice(texts)
        other = one if number % 3 == 0 else draw.choice(texts)
        stretch = lambda text: text[(at := draw.randrange(max(1, len(text) - 400))):at + draw.randrange(0, 400)]
        pairs.append([tokens(stretch(one), by_words), tokens(stretch(other), by_words)])
    asked = "".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs)
    answer = subprocess.run([binary], input=asked, check=True, capture_output=True, text=True).stdout
    ours = [json.loads(line) for line in answer.splitlines()]
    assert len(ours) == PAIRS
    scorer = rouge_scorer.RougeScorer(MEASURES, tokenizer=Blanks())
    worst = 0.0
    likeness_ours, likeness_theirs = [], []
    for (candidate, reference), figures in zip(pairs, ours):
        theirs = scorer.score(" ".join(reference), " ".join(candidate))
        for measure, figure in zip(MEASURES, figures):
            theirs_here = theirs[measure]
            expected = (theirs_here.precision, theirs_here.recall, theirs_here.fmeasure)
            worst = max(worst, *(abs(a - b) for a, b in zip(figure, expected)))
        likeness_ours.append(sum(figure[2] for figure in figures) / 3)
        likeness_theirs.append(sum(theirs[m].fmeasure for m in MEASURES) / 3)
    novelty = 1 - sum(likeness_ours) / PAIRS, 1 - sum(likeness_theirs) / PAIRS
    print(f"{PAIRS} pairs, greatest difference {worst:.2e}; N over them {novelty[0]:.6f} and {novelty[1]:.6f}")
    sys.exit(worst > 1e-6 or abs(novelty[0] - novelty[1]) > 1e-6)


if __name__ == "__main__":
    main()
