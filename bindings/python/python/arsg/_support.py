"""What the compiled part asks of Python: taking things to other processes, and other libraries."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from . import _arsg

if TYPE_CHECKING:
    from ._arsg import Grammar, Node, Parser, Tree


def restore_grammar(root: str, files: Optional[Dict[str, str]]) -> "Grammar":
    return _arsg.restore_grammar(root, files)


def restore_parser(grammar: "Grammar", search: str, structure: str) -> "Parser":
    return _arsg.Parser(grammar, search=search, structure=structure)


def restore_tree(json: str, text: str, places: List[Tuple[int, int]]) -> "Tree":
    return _arsg.restore_tree(json, text, places)


def restore_node(tree: "Tree", place: int) -> "Node":
    return _arsg.restore_node(tree, place)


def to_nltk(tree: "Tree") -> Any:
    """The tree as an ``nltk.Tree``: built from the leaves up, so that depth is no matter."""
    try:
        NltkTree = importlib.import_module("nltk.tree").Tree
    except ImportError as error:
        raise ImportError("`to_nltk` needs NLTK: pip install 'arsg[nltk]'") from error
    made: Dict[Any, Any] = {}
    for node in reversed(tree.nodes):
        if node.is_leaf:
            made[node.edus.start, node.edus.stop] = node.text
        else:
            children = [made[child.edus.start, child.edus.stop] for child in node.children]
            label = f"{node.relation or 'span'}:{node.nuclearity}"
            made[node.edus.start, node.edus.stop] = NltkTree(label, children)
    top = made[tree.root.edus.start, tree.root.edus.stop]
    return NltkTree("text", [top]) if tree.root.is_leaf else top


def spans(tree: "Tree") -> List[Dict[str, Any]]:
    """A row a node, from the root down."""
    depths: Dict[Any, int] = {}
    rows = []
    for node in tree.nodes:
        parent = node.parent
        depth = 0 if parent is None else depths[parent.edus.start, parent.edus.stop] + 1
        depths[node.edus.start, node.edus.stop] = depth
        start, end = node.span
        rows.append(
            {
                "id": tree.id,
                "start": start,
                "end": end,
                "first_edu": node.edus.start,
                "last_edu": node.edus.stop - 1,
                "depth": depth,
                "role": node.role,
                "relation": node.relation,
                "nuclearity": node.nuclearity,
                "symbol": node.symbol,
                "rule": node.rule,
                "probability": node.probability,
                "fallback": node.fallback,
                "text": node.text,
            }
        )
    return rows
