"""Rhetorical trees of Chinese texts by grammars that people can read, review and correct.

>>> import arsg
>>> parser = arsg.Parser(arsg.Grammar.shipped("finance"))
>>> tree = parser("因为需求减少，国际油价下跌。")
>>> tree.root.relation
'causal-cause'
>>> [node.text for node in tree.root.children]
['因为需求减少，', '国际油价下跌。']

Places in texts are places in Python strings. Grammars, parsers, trees and errors can be pickled, so
that multiprocessing, joblib and Spark work.
"""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _arsg
from ._arsg import Grammar, Model, Node, Parser, Pipe, Session, Tree, __version__
from ._errors import (
    ArsgError,
    ArsgWarning,
    Diagnostic,
    GrammarError,
    InternalError,
    InvalidError,
    MissingError,
    ParseError,
    TreeError,
    UsageError,
)
from ._results import (
    Core,
    DocumentScore,
    Edu,
    Embedding,
    Explanation,
    Figures,
    Parseval,
    Part,
    Score,
    StackItem,
    Suggestion,
    Summary,
    SummaryLine,
    Vectors,
)

__all__ = [
    "ArsgError",
    "ArsgWarning",
    "Core",
    "Diagnostic",
    "DocumentScore",
    "Edu",
    "Embedding",
    "Explanation",
    "Figures",
    "Grammar",
    "GrammarError",
    "InternalError",
    "InvalidError",
    "MissingError",
    "Model",
    "Node",
    "ParseError",
    "Parser",
    "Parseval",
    "Part",
    "Pipe",
    "Score",
    "Session",
    "StackItem",
    "Suggestion",
    "Summary",
    "SummaryLine",
    "Tree",
    "TreeError",
    "UsageError",
    "Vectors",
    "__version__",
    "check",
    "cores",
    "embed",
    "induce",
    "parse_trees",
    "parseval",
    "read_trees",
    "segment",
    "summarize",
    "vectors",
]

#: A text, a pair of an id and a text, or a document as plain data.
Text = Union[str, Tuple[str, str], Dict[str, Any]]
Path = Union[str, "os.PathLike[str]"]


def _threads(threads: Optional[int]) -> int:
    if threads is None:
        return os.cpu_count() or 1
    if threads < 1:
        raise ValueError("`threads` is 1 or more")
    return threads


def _warn(problems: Sequence[Any]) -> None:
    for problem in problems:
        warnings.warn(str(problem), ArsgWarning, stacklevel=3)


def check(
    path: Union[Path, Sequence[Path]], *, schema: Optional[str] = None, allow_outside: bool = False
) -> List[Diagnostic]:
    """Everything that is wrong with grammars and schemas: files, folders, or shipped grammars by name.

    >>> arsg.check("finance")
    []
    """
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    return _arsg.check(paths, schema, allow_outside)


def read_trees(path: Path, format: Optional[str] = None) -> List[Tree]:
    """Reads the trees of a file or a folder: rs3, rs4, dis, rsd, sexp, json, by extension or content.

    What is odd in them becomes an ``ArsgWarning``; files with errors raise a ``TreeError``.
    """
    trees, problems = _arsg.read_trees(path, format)
    _warn(problems)
    return trees


def parse_trees(text: str, format: Optional[str] = None, *, name: str = "<string>") -> List[Tree]:
    """Reads trees from a text in any of the formats.

    >>> tree = arsg.Parser("finance")("因为需求减少，国际油价下跌。")
    >>> arsg.parse_trees(tree.to_rs3())[0].root.relation
    'causal-cause'
    """
    trees, problems = _arsg.trees_from_text(text, format, name)
    _warn(problems)
    return trees


def parseval(
    gold: Union[Tree, Iterable[Tree]],
    predicted: Union[Tree, Iterable[Tree]],
    *,
    schema: str = "general",
    fine: bool = False,
    root: bool = True,
    bootstrap: int = 1000,
    seed: int = 1,
) -> Parseval:
    """Scores predicted trees against gold trees, which are paired by their ids, or by their order
    where none has an id. Relations are told apart by class, or by name if ``fine``.

    >>> tree = arsg.Parser("finance")("因为需求减少，国际油价下跌。")
    >>> arsg.parseval(tree, tree).full.f1
    1.0
    """
    how = {"schema": schema, "fine": fine, "root": root, "bootstrap": bootstrap, "seed": seed}
    data, text, problems = _arsg.parseval(gold, predicted, how)
    _warn(problems)
    return Parseval._of(json.loads(data), text)


def induce(
    trees: Union[Path, Tree, Iterable[Tree]],
    *,
    docs: Optional[Path] = None,
    schema: str = "general",
    decide: str = "weights",
    name: Optional[str] = None,
    keep: Optional[Grammar] = None,
    compact: Optional[int] = None,
    tables: Optional[int] = None,
    boundary: bool = False,
    gold_only: bool = False,
    seed: int = 1,
    threads: Optional[int] = None,
) -> Grammar:
    """Learns a grammar from trees: a file or folder of them (or of labels), or trees at hand. ``docs``
    has their documents, with paragraphs; rules of the grammar ``keep`` stay as they are. Rules decide
    by ``weights`` or by ``counts``; with counts ``compact`` is the most rules of each decision.

    >>> tree = arsg.Parser("finance")("因为需求减少，国际油价下跌。")
    >>> grammar = arsg.induce([tree], schema="finance", decide="counts", name="tiny")
    >>> grammar.name, arsg.Parser(grammar)("因为需求减少，国际油价下跌。").root.relation
    ('tiny', 'causal-cause')
    """
    options = {
        "schema": schema,
        "decide": decide,
        "compact": compact,
        "tables": tables,
        "boundary": boundary,
        "gold_only": gold_only,
        "seed": seed,
        "name": name,
        "threads": _threads(threads),
    }
    grammar, problems, notes = _arsg.induce(trees, docs, keep, options)
    _warn([*problems, *notes])
    return grammar


def cores(text: str, *, schema: str = "finance", date: Any = None) -> List[Core]:
    """The lexical cores of a text: when, who, what, how. Relative times are read against ``date``.

    >>> core = arsg.cores("8月份CPI同比上涨2.4%。")[0]
    >>> core.time.text, core.state.text, core.amount.text
    ('8月份', '上涨', '2.4%')
    """
    return [Core._of(core) for core in json.loads(_arsg.cores(text, schema, date))]


def segment(text: str, grammar: Union[Grammar, str, None] = None, *, schema: Optional[str] = None) -> List[Edu]:
    """The EDUs of a text, by the boundary rules of a grammar (``general`` unless said otherwise), or as
    a schema divides texts.

    >>> [edu.text for edu in arsg.segment("因为需求减少，国际油价下跌。")]
    ['因为需求减少，', '国际油价下跌。']
    """
    return _arsg.segment(text, grammar, schema)


def summarize(
    texts: Union[str, Iterable[Text]],
    length: Union[int, str] = 10,
    *,
    method: str = "arsg",
    unit: Optional[str] = None,
    grammar: Union[Grammar, str, None] = None,
    schema: str = "finance",
    redundancy: Optional[float] = None,
    seed: int = 1,
    threads: Optional[int] = None,
) -> Summary:
    """Summarizes one text or many and says of every line where it comes from. ``length`` is a number of
    EDUs, a share (``"5%"``) or a number of words (``"300w"``).

    >>> text = "国际油价下跌。分析师认为，需求疲软是主要原因。受此影响，航空股上涨。"
    >>> print(arsg.summarize(text, 1))
    分析师认为，需求疲软是主要原因。
    """
    options = {
        "length": str(length),
        "method": method,
        "unit": unit,
        "schema": schema,
        "redundancy": redundancy,
        "seed": seed,
        "threads": _threads(threads),
    }
    data, text = _arsg.summarize([texts] if isinstance(texts, str) else texts, grammar, options)
    return Summary._of(json.loads(data), text)


def embed(
    texts: Iterable[Text],
    *,
    schema: str = "finance",
    width: int = 150,
    epochs: int = 100,
    patience: int = 5,
    seed: int = 1,
    threads: Optional[int] = None,
) -> Embedding:
    """Learns phrase vectors from the lexical cores of texts, and turns the texts into vectors, so that
    texts of one topic lie near each other. ``.model`` does the same with other texts (``vectors``).

    >>> texts = ["国际油价下跌。", "沪指收涨1%。", "国际油价上涨。", "深成指收跌。"]
    >>> found = arsg.embed(texts, width=8, epochs=2)
    >>> len(found), len(found.vectors[0])
    (4, 32)
    """
    options = {
        "schema": schema,
        "width": width,
        "epochs": epochs,
        "patience": patience,
        "seed": seed,
        "threads": _threads(threads),
    }
    model, (ids, counts, rows), history = _arsg.embed(texts, options)
    return Embedding(ids=ids, cores=counts, vectors=rows, model=model, history=history)


def vectors(texts: Iterable[Text], model: Model, *, threads: Optional[int] = None) -> Vectors:
    """Turns texts into vectors by a model that was learned before (``Model.load``, ``embed(...).model``)."""
    ids, counts, rows = model._vectors(texts, _threads(threads))
    return Vectors(ids=ids, cores=counts, vectors=rows)
