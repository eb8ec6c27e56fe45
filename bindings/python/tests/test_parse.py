"""Texts to trees."""

import datetime

import arsg
import pytest

TEXT = "　　央行宣布降息。😀\n\n受此影响，银行股下跌，但地产股上涨。\n分析师认为，降息利好楼市。"


def test_places_are_places_in_python_strings(parser):
    tree = parser(TEXT)
    assert tree.text == TEXT
    for edu in tree.edus:
        assert TEXT[edu.start : edu.end] == edu.text
    for node in tree.nodes:
        start, end = node.span
        assert TEXT[start:end] == node.text
        assert [tree.edus[at].text for at in node.edus][0] == node.text[: len(tree.edus[node.edus[0]].text)]
    assert tree.root.edus == range(len(tree.edus))


def test_nodes_know_their_places(parser):
    tree = parser(TEXT)
    assert tree.root.parent is None and tree.root.role == "N"
    for node in tree.nodes:
        for at, child in enumerate(node.children):
            assert child.parent == node and child.tree == tree
            assert node[at] == child and node.nuclearity[at] == child.role
        assert len(node) == len(node.children) and bool(node)
        assert node.is_leaf == (len(node) == 0) == (node.relation is None)
    assert [leaf.text for leaf in tree.leaves] == [edu.text for edu in tree.edus]
    assert {node for node in tree.nodes} == set(tree.nodes)
    with pytest.raises(IndexError):
        tree.root[2]
    assert tree.root[-1] == tree.root.children[-1]


def test_what_a_parse_knows(oil):
    root = oil.root
    assert root.rule and 0 < root.probability <= 1
    assert root.fallback is False or root.rule is not None
    assert oil.origin["grammar"].startswith("finance")
    assert oil.log_probability < 0
    assert oil.id == "oil"
    assert isinstance(root.attributes, dict)


def test_edus_of_others_are_kept(parser):
    edus = ["因为需求减少，", "国际油价下跌。", "航空股上涨。"]
    flat = parser.from_edus(edus)
    assert [edu.text for edu in flat.edus] == edus
    parts = parser.from_edus([edus[:2], edus[2:]])
    assert [edu.paragraph for edu in parts.edus] == [0, 0, 1]
    again = parser.from_edus(flat.edus)
    assert again == flat
    with pytest.raises(TypeError, match="string"):
        parser.from_edus("因为需求减少，")
    with pytest.raises(TypeError):
        parser.from_edus([1, 2])


def test_texts_without_words_have_no_tree(parser):
    for text in ["", "  \n", "\ufeff"]:
        with pytest.raises(arsg.ParseError, match="no words"):
            parser(text)
    with pytest.raises(arsg.ParseError):
        parser.from_edus([])


def test_what_is_no_text_is_refused(parser):
    with pytest.raises(TypeError):
        parser(3)
    with pytest.raises(UnicodeEncodeError):
        parser("下\ud800跌")
    with pytest.raises(ValueError, match="no date"):
        parser("油价下跌。", date="昨天")


def test_dates_are_taken(parser):
    assert parser("昨日油价下跌。", date=datetime.date(2019, 9, 1)) == parser("昨日油价下跌。", date="2019-09-01")


def test_searches_and_structures(parser):
    text = "因为需求减少，国际油价下跌。受此影响，航空股普遍上涨。"
    for search in ["beam=4", "spans=4", "sample=7"]:
        tree = arsg.Parser("finance", search=search)(text)
        assert tree.origin["search"] == search
    lines = "油价下跌\n新华社记者 王小明\n国际油价周三下跌。"
    assert len(arsg.Parser("finance", structure="none")(lines).edus) >= len(parser(lines).edus)
    for wrong in [{"search": "worst"}, {"search": "beam=0"}, {"structure": "any"}]:
        with pytest.raises(ValueError):
            arsg.Parser("finance", **wrong)


def test_the_same_text_has_the_same_tree(parser):
    assert parser(TEXT) == parser(TEXT) and hash(parser(TEXT)) == hash(parser(TEXT))
    assert parser(TEXT) != parser("油价下跌。") and parser(TEXT) != "油价下跌。"


def test_explanations(oil, parser):
    why = oil.explain(oil.root)
    assert why.rule == oil.root.rule and why.probability == pytest.approx(oil.root.probability, abs=1e-6)
    assert why.rule in str(why) and why.to_dict()["row"]["action"] == "reduce"
    table = oil.explain()
    assert len(str(table).splitlines()) > len(oil.edus)
    assert "<html" in oil.explain_html()
    for leaf in oil.leaves:
        assert "shift" in str(oil.explain(leaf))
    with pytest.raises(ValueError, match="another tree"):
        oil.explain(parser("油价下跌，股价上涨。").root)


def test_sessions_go_the_way_of_the_parser(parser):
    text = "因为需求减少，国际油价下跌。受此影响，航空股普遍上涨。"
    session = parser.session(text)
    assert [edu.text for edu in session.edus] == [edu.text for edu in parser(text).edus]
    steps = 0
    while not session.is_complete:
        best = session.suggestions()[0]
        assert 0 <= best.probability <= 1
        if best.action == "shift":
            session.shift()
        else:
            session.reduce(best.relation, best.roles, symbol=best.symbol)
        steps += 1
    tree = session.tree()
    assert [n.relation for n in tree.nodes] == [n.relation for n in parser(text).nodes]
    assert session.stack[0].text == text and session.next_edu is None
    for _ in range(steps):
        assert session.undo()
    assert not session.undo() and session.redo() and session.next_edu == 1
    with pytest.raises(arsg.UsageError):
        session.tree()


def test_sessions_refuse_what_cannot_be():
    session = arsg.Session("油价下跌，股价上涨。", "finance")
    with pytest.raises(arsg.UsageError, match="no two nodes"):
        session.reduce("joint-list")
    session.shift()
    session.shift()
    with pytest.raises(arsg.UsageError, match="no EDU"):
        session.shift()
    with pytest.raises(arsg.UsageError, match="did you mean `causal-cause`"):
        session.reduce("causal-cuase")
    with pytest.raises(arsg.UsageError, match="none of"):
        session.reduce("causal-cause", "SS")
    with pytest.raises(arsg.UsageError, match="cannot have"):
        session.reduce("causal-cause", "NN")
    session.reduce("causal-cause", "SN")
    assert session.tree().root.nuclearity == "SN"


def test_documents_as_plain_data(parser):
    text = "油价周三大跌\n因为需求减少，国际油价下跌。"
    document = {"id": "oil", "date": "2019-09-04", "text": text}
    assert parser.from_document(document) == parser(text, id="oil", date="2019-09-04")
    heading = {"kind": "heading", "level": 0, "text": "油价大跌"}
    tree = parser.from_document({"id": "b", "blocks": [heading, {"kind": "paragraph", "edus": ["需求疲软，", "油价下跌。"]}]})
    assert [edu.text for edu in tree.edus] == ["油价大跌", "需求疲软，", "油价下跌。"]
    assert next(parser.pipe([document])) == parser.from_document(document)
    for wrong in ({}, {"text": 3}, {"text": "a", "blocks": []}, {"text": "a", "date": "昨天"}):
        with pytest.raises(ValueError):
            parser.from_document(wrong)
    with pytest.raises(TypeError):
        parser.from_document({"text": {1, 2}})
