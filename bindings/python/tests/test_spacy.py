"""The component for spaCy; left out where spaCy is not installed."""

import arsg
import pytest

spacy = pytest.importorskip("spacy")

TEXTS = ["因为需求减少，国际油价下跌。", "", "沪指收涨，深成指收跌。"]


def test_trees_of_documents():
    nlp = spacy.blank("zh")
    nlp.add_pipe("arsg", config={"grammar": "finance"})
    doc = nlp(TEXTS[0])
    assert doc._.rst == arsg.Parser("finance")(TEXTS[0])

    from arsg.spacy import span_of

    assert [span_of(doc, leaf).text for leaf in doc._.rst.leaves] == ["因为需求减少，", "国际油价下跌。"]


def test_many_documents():
    nlp = spacy.blank("zh")
    nlp.add_pipe("arsg", config={"threads": 2})
    docs = list(nlp.pipe(TEXTS))
    assert [doc.text for doc in docs] == TEXTS
    parser = arsg.Parser()
    assert [doc._.rst for doc in docs] == [parser(TEXTS[0]), None, parser(TEXTS[2])]
