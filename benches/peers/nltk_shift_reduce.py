"""NLTK's shift-reduce parser over a grammar of 9,000 productions, for `benches/automaton.rs`.

    pip install nltk && python3 benches/peers/nltk_shift_reduce.py

Symbols stand for EDUs; the grammar is context-free without reasons or probabilities, which NLTK's parser does not have. It does not
backtrack, so it need not find a tree: what is measured is the EDUs it goes through in a second.
"""

import contextlib
import io
import random
import time

from nltk.grammar import CFG, Nonterminal, Production
from nltk.parse import ShiftReduceParser

PRODUCTIONS = 9_000
SYMBOLS = 60
EDUS = 100
TEXTS = 3

random.seed(7)
symbols = [Nonterminal(f"S{n}") for n in range(SYMBOLS)]
productions = {(a, a, b) for a in symbols for b in symbols}
while len(productions) < PRODUCTIONS:
    productions.add((random.choice(symbols), random.choice(symbols), random.choice(symbols)))
rules = [Production(parent, (left, right)) for parent, left, right in sorted(productions, key=str)][:PRODUCTIONS]
rules += [Production(symbol, (f"w{n}",)) for n, symbol in enumerate(symbols)]
with contextlib.redirect_stdout(io.StringIO()):  # it warns of every production that another one hides
    parser = ShiftReduceParser(CFG(symbols[0], rules))
texts = [[f"w{random.randrange(SYMBOLS)}" for _ in range(EDUS)] for _ in range(TEXTS)]

start = time.perf_counter()
for text in texts:
    list(parser.parse(text))
seconds = time.perf_counter() - start
print(f"{len(rules)} productions, {TEXTS * EDUS} EDUs, {seconds:.2f} s: {TEXTS * EDUS / seconds:.0f} EDUs/s")
