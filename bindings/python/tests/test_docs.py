"""The examples of all doc strings, those of the compiled classes included."""

import doctest
import inspect

import arsg
import pytest
from arsg import _arsg, _errors, _results

CLASSES = [getattr(arsg, name) for name in arsg.__all__ if inspect.isclass(getattr(arsg, name))]
FUNCTIONS = [getattr(arsg, name) for name in arsg.__all__ if inspect.isfunction(getattr(arsg, name))]


def members(thing):
    """A thing and what has a doc string in it."""
    yield thing.__name__, thing
    if inspect.isclass(thing):
        for name, member in vars(thing).items():
            if getattr(member, "__doc__", None) and (not name.startswith("_") or name == "__call__"):
                yield f"{thing.__name__}.{name}", member


ALL = [pair for thing in [*CLASSES, *FUNCTIONS] for pair in members(thing)] + [("arsg", arsg)]


def examples(name, thing):
    found = doctest.DocTestParser().get_examples(inspect.getdoc(thing) or "")
    return doctest.DocTest(found, {"arsg": arsg}, name, None, 0, "") if found else None


TESTS = [test for test in (examples(*pair) for pair in ALL) if test is not None]


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.name)
def test_examples_are_true(test):
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert runner.run(test).failed == 0


def test_there_are_examples():
    assert len(TESTS) >= 15, [test.name for test in TESTS]


@pytest.mark.parametrize("name, thing", [pair for pair in ALL if "." not in pair[0]])
def test_everything_public_has_a_doc_string(name, thing):
    assert thing.__doc__, name


@pytest.mark.parametrize("cls", [arsg.Grammar, arsg.Parser, arsg.Tree, arsg.Node, arsg.Session, arsg.Model])
def test_stubs_name_what_there_is(cls):
    """Every public member of a compiled class stands in the stub, and nothing else."""
    import ast
    from pathlib import Path

    stub = ast.parse((Path(arsg.__file__).parent / "_arsg.pyi").read_text(encoding="utf-8"))
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    written = {node.name for node in classes[cls.__name__].body if isinstance(node, ast.FunctionDef)}
    there = {name for name in vars(cls) if not name.startswith("__")}
    assert {name for name in written if not name.startswith("__")} == there


def test_modules_say_what_they_are():
    assert all(module.__doc__ for module in (arsg, _arsg, _errors, _results))
