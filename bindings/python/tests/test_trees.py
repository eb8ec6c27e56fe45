"""Trees in all formats, other libraries, and scores."""

import dataclasses
import json
import xml.etree.ElementTree as xml

import arsg
import pytest

TEXTS = [
    "因为需求减少，国际油价下跌。受此影响，航空股普遍上涨。",
    "8月份CPI同比上涨2.4%，主要是因为猪肉价格上涨。\n分析师认为，四季度涨幅将收窄。",
]


def shape(tree):
    return [(node.edus, node.relation, node.nuclearity) for node in tree.nodes]


@pytest.mark.parametrize("form", ["rs3", "rs4", "dis", "conll_rsd", "sexp", "json"])
def test_every_format_comes_back(parser, form):
    for tree in parser.pipe(TEXTS):
        (again,) = arsg.parse_trees(getattr(tree, f"to_{form}")())
        assert shape(again) == shape(tree)
        assert [edu.text for edu in again.edus] == [edu.text for edu in tree.edus]


def test_trees_of_files(oil, tmp_path):
    (tmp_path / "a.rs3").write_text(oil.to_rs3(), encoding="utf-8")
    (tmp_path / "b.dis").write_text(oil.to_dis(), encoding="utf-8")
    assert [tree.id for tree in arsg.read_trees(tmp_path)] == ["a", "b"]
    (tree,) = arsg.read_trees(str(tmp_path / "a.rs3"), "rs3")
    assert shape(tree) == shape(oil)
    for node in tree.nodes:
        start, end = node.span
        assert tree.text[start:end] == node.text
    assert tree.log_probability is None
    with pytest.raises(arsg.UsageError):
        tree.explain(tree.root)


def test_what_is_odd_is_a_warning():
    with pytest.warns(arsg.ArsgWarning, match="R015"):
        (tree,) = arsg.parse_trees("因为下雨，\n比赛取消。\n", "edus")
    assert len(tree.edus) == 2


def test_plain_data(oil):
    data = oil.to_dict()
    assert data == json.loads(oil.to_json()) and data["id"] == "oil"
    rows = oil.spans()
    assert [row["text"] for row in rows] == [node.text for node in oil.nodes]
    assert rows[0]["depth"] == 0 and max(row["depth"] for row in rows) > 0
    for row in rows:
        assert oil.text[row["start"] : row["end"]] == row["text"]


def test_pandas_takes_spans(oil):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(oil.spans())
    assert list(frame[frame.relation.isna()].text) == [edu.text for edu in oil.edus]


def test_nltk_takes_trees(parser, oil):
    pytest.importorskip("nltk")
    tree = oil.to_nltk()
    assert tree.leaves() == [edu.text for edu in oil.edus]
    assert tree.label() == f"{oil.root.relation}:{oil.root.nuclearity}"
    assert parser("油价下跌。").to_nltk().leaves() == ["油价下跌。"]


def test_pictures(oil):
    svg = xml.fromstring(oil.to_svg())
    assert svg.tag.endswith("svg")
    assert oil._repr_svg_() == oil.to_svg() and oil.to_svg() in oil._repr_html_()
    assert str(oil) == oil.draw() and "国际油价下跌" in str(oil)
    assert "<html" in oil.to_html()


def test_nodes_of_many_children():
    (tree,) = arsg.parse_trees('(joint-list NNN "油价下跌，" "股价上涨，" "金价持平。")', "sexp")
    assert tree.root.nuclearity == "NNN" and len(tree.root.children) == 3
    assert all(child.parent == tree.root for child in tree.root.children)
    assert len(tree.nodes) == 4
    pytest.importorskip("nltk")
    assert len(tree.to_nltk()) == 3


def test_a_deep_tree_is_no_matter():
    edus = [f"油价第{n}次下跌，" for n in range(3000)]
    with pytest.warns(arsg.ArsgWarning):
        (flat,) = arsg.parse_trees("\n".join(edus), "edus")
    pytest.importorskip("nltk")
    assert len(flat.spans()) >= 3000 and flat.to_nltk().label()


def test_parseval(parser):
    gold = list(parser.pipe([(str(at), text) for at, text in enumerate(TEXTS)]))
    same = arsg.parseval(gold, gold)
    assert same.full.f1 == same.rst.full.f1 == 1 and same.span.interval == (1, 1)
    flat = [arsg.Parser(arsg.Grammar.from_text('schema "finance"\n_[joint-list] <- _:N _:N x 2')).from_edus([e.text for e in tree.edus], id=tree.id) for tree in gold]
    worse = arsg.parseval(gold, flat)
    assert worse.full.f1 < 1 and worse.relations["joint"].predicted > 0
    assert [one.id for one in worse.documents] == ["0", "1"]
    assert dataclasses.asdict(worse)["rst"]["span"]["gold"] == worse.rst.span.gold
    assert "original Parseval" in str(worse)
    nameless = list(parser.pipe(TEXTS))
    assert arsg.parseval(nameless, nameless, bootstrap=0, fine=True).span.interval is None
    with pytest.raises(ValueError, match="in their order"):
        arsg.parseval(nameless, nameless[:1])
    with pytest.raises(TypeError):
        arsg.parseval(nameless, ["tree"])
    with pytest.raises(arsg.ArsgError):
        arsg.parseval([], [])
