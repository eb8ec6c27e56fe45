"""The engine in a program: texts, their trees, and why they are as they are."""

from __future__ import annotations

from typing import List

import arsg

TEXTS = [
    ("oil", "因为需求减少，国际油价下跌。受此影响，航空股普遍上涨。"),
    ("cpi", "8月份CPI同比上涨2.4%，主要是因为猪肉价格上涨。\n分析师认为，四季度涨幅将收窄。"),
]


def relations(tree: arsg.Tree) -> List[str]:
    """The relations of a tree, from the root down."""
    return [node.relation for node in tree.nodes if node.relation is not None]


def main() -> None:
    parser = arsg.Parser(arsg.Grammar.shipped("finance"))
    trees = list(parser.pipe(TEXTS, threads=2))
    for tree in trees:
        print(f"{tree.id}: {len(tree.edus)} EDUs, {', '.join(relations(tree))}")
        for node in tree.nodes:
            start, end = node.span
            assert tree.text[start:end] == node.text
    print(trees[0].explain(trees[0].root))
    print(f"a tree against itself: F {arsg.parseval(trees, trees).full.f1:.2f}")


if __name__ == "__main__":
    main()
