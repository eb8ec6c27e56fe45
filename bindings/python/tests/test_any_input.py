"""The border with any input: only the exceptions that are promised. `ARSG_FUZZ=300` goes on for five minutes."""

import os
import pickle

import arsg
import pytest

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

SECONDS = int(os.environ.get("ARSG_FUZZ", "0"))
PROMISED = (arsg.ArsgError, ValueError, TypeError, LookupError, OSError, OverflowError)
#: What the language and the formats are made of, so that errors lie deep.
WORDS = [
    *'()[]{}<>:.,;_@#"',
    *"上下涨跌因为所以，。！\n\t \u3000",
    *["schema ", '"finance"', "grammar ", "rule ", "when ", "A.cue", " = ", "because", "<-", "_:N", "_:S", " x 3", "prefer shift "],
    *["<rst>", "<segment id='1'", " parent='2'", "</rst>", "{", '"edus":', '"nodes"', "(joint-list NN ", "rel2par", "\u202e", "\ufeff", "😀"],
]
letters = st.text(st.sampled_from("油价下跌，因为需求疲软。受此影响！？“”：\n 1%aB😀\ufeff\u3000#-*"), max_size=60)
anything = st.one_of(st.text(max_size=40), letters, st.lists(st.sampled_from(WORDS), max_size=30).map("".join))
junk = st.one_of(st.none(), st.integers(), st.floats(), st.binary(max_size=8), anything, st.lists(anything, max_size=3))

parser = arsg.Parser("finance")
gold = parser("因为需求减少，国际油价下跌。受此影响，航空股普遍上涨。")


def only_promised(call):
    try:
        return call()
    except arsg.InternalError:
        raise
    except PROMISED:
        return None


def limits(share):
    """So many examples a second, of a build for development; an optimized one is done sooner."""
    many = max(60, SECONDS * share)
    return settings(max_examples=many, deadline=None, database=None)


@limits(16)
@given(anything)
def test_texts(text):
    tree = only_promised(lambda: parser(text))
    if tree is None:
        return
    for node in tree.nodes:
        start, end = node.span
        assert text[start:end] == node.text
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert arsg.parse_trees(tree.to_json(), "json")[0].edus[0].text == tree.edus[0].text
    tree.explain(tree.root)
    tree.spans()


@limits(60)
@given(anything)
def test_grammars(text):
    only_promised(lambda: arsg.Grammar.from_text(text))
    only_promised(lambda: arsg.Grammar.from_text('schema "finance"\n' + text))


@limits(100)
@given(anything, st.sampled_from([None, "rs3", "rs4", "dis", "rsd", "sexp", "json", "edus", "svg", "x"]))
@pytest.mark.filterwarnings("ignore")
def test_trees(text, form):
    for tree in only_promised(lambda: arsg.parse_trees(text, form)) or []:
        only_promised(lambda: arsg.parseval(tree, gold, bootstrap=0))
        tree.to_rs3(), tree.to_svg(), str(tree), tree.to_conll_rsd(), tree.spans()


@limits(100)
@given(anything, st.lists(st.tuples(st.sampled_from(["shift", "reduce", "undo", "redo", "look"]), junk), max_size=12))
def test_sessions(text, steps):
    session = arsg.Session(text, parser.grammar)
    for step, value in steps:
        if step == "reduce":
            only_promised(lambda: session.reduce(value if isinstance(value, str) else "joint-list"))
        elif step == "look":
            assert abs(sum(one.probability for one in session.suggestions()) - 1) < 1e-6 or not session.suggestions()
            assert all(item.text in text for item in session.stack)
        else:
            only_promised(getattr(session, step))
    only_promised(session.tree)


@limits(4)
@given(junk, junk, junk)
@pytest.mark.filterwarnings("ignore")
def test_wrong_kinds(a, b, c):
    calls = [
        lambda: parser(a, id=b, date=c),
        lambda: parser.from_edus(a, id=b),
        lambda: list(parser.pipe(a, errors="return")),
        lambda: arsg.Parser(a),
        lambda: arsg.Parser(search=a, structure=b),
        lambda: arsg.Grammar.shipped(a),
        lambda: arsg.cores(a, schema=b),
        lambda: arsg.segment(a, b),
        lambda: arsg.parseval(a, b),
        lambda: gold.explain(a),
        lambda: gold.root[a],
        lambda: arsg.parse_trees(a, b),
        lambda: arsg.summarize(a, b),
        lambda: arsg._arsg.restore_tree(a, b, c),
        lambda: arsg._arsg.restore_tree(gold.to_json(), a, b),
        lambda: arsg._arsg.restore_grammar(a, b),
        lambda: arsg._arsg.restore_node(gold, a),
    ]
    for call in calls:
        only_promised(call)
