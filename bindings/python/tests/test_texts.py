"""EDUs, cores, summaries and vectors."""

import arsg
import pytest

TEXT = "😀国际油价周三下跌2%。分析师认为，需求疲软是主要原因。受此影响，航空股普遍上涨，其中南方航空上涨5%。"


def test_edus():
    for how in ({}, {"grammar": "finance"}, {"grammar": arsg.Grammar.shipped("finance")}, {"schema": "finance"}):
        edus = arsg.segment(TEXT, **how)
        assert "".join(edu.text for edu in edus) == TEXT
        assert all(TEXT[edu.start : edu.end] == edu.text for edu in edus)
    assert arsg.segment("") == []


def test_cores():
    cores = arsg.cores(TEXT, date="2019-09-04")
    states = [core.state.text for core in cores]
    assert "下跌" in states and "上涨" in states
    for core in cores:
        for part in (core.time, core.agent, core.object, core.state, core.amount):
            if part is not None:
                assert TEXT[part.start : part.end] == part.text
    assert cores[0].amount.text == "2%" and cores[0].time.value
    assert arsg.cores("", schema="general") == []
    with pytest.raises(arsg.UsageError):
        arsg.cores(TEXT, schema="finanse")


def test_summaries():
    texts = [("oil", TEXT), ("cpi", "8月份CPI同比上涨2.4%，主要是因为猪肉价格上涨。分析师认为，四季度涨幅将收窄。")]
    summary = arsg.summarize(texts, "30%")
    assert summary.texts == 2 and summary.lines and {line.doc for line in summary.lines} <= {"oil", "cpi"}
    assert str(summary).splitlines()[0] == summary.lines[0].text
    assert all(line.path == [] or line.path[0][0] in "NS" for line in summary.lines)
    for method in ("lead", "textrank", "mmr", "paper"):
        assert arsg.summarize(texts, 3, method=method).method == method
    assert summary == arsg.summarize(iter(texts), "30%", threads=1)
    for wrong in ({"length": "0"}, {"length": 3, "method": "best"}, {"length": 3, "redundancy": 2.0}):
        with pytest.raises(ValueError):
            arsg.summarize(texts, **wrong)
    with pytest.raises(arsg.ParseError):
        arsg.summarize([])


def test_vectors(tmp_path):
    texts = [(f"{what}{n}", f"{what}{day}日下跌{n}%。") for what in ("国际油价", "沪指") for n in range(1, 9) for day in (n,)]
    found = arsg.embed(texts, width=8, epochs=5)
    assert len(found) == len(texts) and len(found.history) <= 5 and found.ids[0] == "国际油价1"
    assert found.vectors == arsg.embed(texts, width=8, epochs=5, threads=1).vectors
    assert found.model.dimensions == 32 == len(found.vectors[0]) and found.model.texts == len(texts)
    found.model.save(tmp_path / "own.safetensors")
    model = arsg.Model.load(tmp_path / "own.safetensors")
    assert arsg.vectors(texts, model).vectors == found.vectors
    assert arsg.vectors(["没有核心"], model).cores == [0]
    with pytest.raises(arsg.ArsgError):
        arsg.embed(["，。"])
    with pytest.raises(ValueError):
        arsg.embed(texts, width=0)
