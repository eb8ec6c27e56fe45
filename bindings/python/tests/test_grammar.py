"""Grammars: loaded, checked, learned; and everything that can go wrong."""

import re
import subprocess
import sys

import arsg
import pytest

MINE = """
grammar mine 1.0
schema "finance"
_[joint-list]   <- _:N _:N  x 2
rule because-before
  _[causal-cause] <- _:S _:N  x 5
  when A.cue = because
"""


def test_shipped_grammars():
    assert {"general", "finance"} <= set(arsg.Grammar.names())
    general = arsg.Grammar.shipped("general")
    assert general == arsg.Grammar.shipped("general") != arsg.Grammar.shipped("finance")
    assert hash(general) == hash(arsg.Grammar.shipped("general"))
    assert general.schema == "general" and "causal-cause" in general.relations
    assert arsg.Parser().grammar == general
    with pytest.raises(arsg.UsageError, match="general") as raised:
        arsg.Grammar.shipped("genral")
    assert "genral" in str(raised.value)


def test_a_grammar_from_a_text():
    grammar = arsg.Grammar.from_text(MINE)
    assert grammar.name == "mine" and grammar.version == "1.0" and "because-before" in grammar.rules
    assert arsg.Grammar.from_text(grammar.to_text()) == grammar
    tree = arsg.Parser(grammar)("因为需求减少，国际油价下跌。")
    assert tree.root.rule == "because-before"


def test_problems_have_codes_and_places():
    wrong = MINE.replace("causal-cause", "causal-cuase").replace("A.cue", "A.cueue")
    with pytest.raises(arsg.GrammarError) as raised:
        arsg.Grammar.from_text(wrong)
    problems = raised.value.diagnostics
    assert len(problems) >= 2 and all(re.fullmatch(r"[A-Z]\d{3}", one.code) for one in problems)
    first = next(one for one in problems if "causal-cuase" in one.message)
    assert wrong[first.start : first.end] == first.text == "causal-cuase"
    assert first.line == 6 and first.column == 5 and "causal-cause" in first.help
    assert first.code in str(raised.value) and "causal-cuase" in raised.value.drawing
    assert isinstance(raised.value, ValueError) and isinstance(raised.value, arsg.ArsgError)


def test_files_that_are_not_there(tmp_path):
    for read in (arsg.Grammar.load, arsg.read_trees, arsg.check, arsg.Model.load):
        with pytest.raises(OSError) as raised:
            read(tmp_path / "no.arsg")
        assert isinstance(raised.value, FileNotFoundError), (read, raised.value)
        assert raised.value.filename.endswith("no.arsg")
    with pytest.raises(arsg.UsageError, match="Grammar.load"):
        (tmp_path / "mine.arsg").write_text(MINE, encoding="utf-8")
        arsg.Parser(str(tmp_path / "mine.arsg"))


def test_check(tmp_path):
    file = tmp_path / "mine.arsg"
    file.write_text(MINE.replace("causal-cause", "cause"), encoding="utf-8")
    (problem,) = [one for one in arsg.check(file) if one.severity == "error"]
    assert problem.path == str(file) and problem.line == 6
    assert str(problem).startswith(f"{file}:6:5: error[{problem.code}]")
    assert arsg.check([tmp_path])
    assert arsg.check(["finance", "general"]) == []


def test_trees_with_errors(tmp_path):
    for text, form in [("<rst><body>", "rs3"), ("(causal-cause NS 油价", "sexp"), ('{"edus": 3}', "json")]:
        with pytest.raises(arsg.TreeError) as raised:
            arsg.parse_trees(text, form, name="mine")
        assert raised.value.diagnostics[0].code.startswith("R")
        assert raised.value.diagnostics[0].path in ("mine", None)
    with pytest.raises(arsg.UsageError, match="no format"):
        arsg.parse_trees("x", "svg")


def test_a_panic_is_an_exception():
    with pytest.raises(arsg.InternalError, match="please report"):
        arsg._arsg._panic()


def test_learning(parser, tmp_path):
    texts = [(f"t{n}", f"由于第{n}季度需求疲软，国际油价下跌。受此影响，航空股普遍上涨。") for n in range(6)]
    trees = list(parser.pipe(texts))
    for how in ({"decide": "counts"}, {"decide": "counts", "compact": 5}, {"decide": "weights", "gold_only": True}):
        grammar = arsg.induce(trees, schema="finance", name="learned", **how)
        assert grammar.name == "learned" and grammar == arsg.induce(iter(trees), schema="finance", name="learned", **how)
        again = arsg.Parser(grammar).from_edus(trees[0].edus)
        assert arsg.parseval(trees[0], again).span.f1 > 0.5
        assert arsg.Grammar.from_text(grammar.to_text()) == grammar
    for tree in trees:
        (tmp_path / f"{tree.id}.rs3").write_text(tree.to_rs3(), encoding="utf-8")
    assert arsg.induce(tmp_path, schema="finance", decide="counts").rules
    with pytest.raises(ValueError):
        arsg.induce(trees, decide="lots")
    with pytest.raises(arsg.ArsgError, match="no tree"):
        arsg.induce([])
    with pytest.raises(TypeError):
        arsg.induce(["a", "b"])


def command(*words, **more):
    return subprocess.run([sys.executable, "-m", "arsg", *words], capture_output=True, text=True, **more)


def test_the_command_is_in_the_wheel(tmp_path):
    done = command("parse", "-", "--grammar", "finance", "--json", input="因为需求减少，国际油价下跌。")
    assert done.returncode == 0 and '"causal-cause"' in done.stdout
    assert command("--version").stdout.startswith("arsg ")
    assert command("parse", "--no-such-option").returncode == 2
    wrong = tmp_path / "wrong.arsg"
    wrong.write_text("grammar", encoding="utf-8")
    assert command("check", str(wrong)).returncode == 3
    assert "Usage" in command("--help").stdout or "usage" in command("--help").stdout.lower()


def test_the_command_and_the_library_say_the_same(parser):
    text = "因为需求减少，国际油价下跌。受此影响，航空股普遍上涨。"
    done = command("parse", "-", "--grammar", "finance", "--json", input=text)
    (tree,) = arsg.parse_trees(done.stdout, "json")
    assert [n.relation for n in tree.nodes] == [n.relation for n in parser(text).nodes]
    assert [n.rule for n in tree.nodes] == [n.rule for n in parser(text).nodes]
