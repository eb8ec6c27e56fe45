"""A component for spaCy pipelines: ``nlp.add_pipe("arsg")`` writes the tree of a text to ``doc._.rst``.

The name is registered by the package's entry point, so nothing needs to be imported. The text is divided by arsg's own
grammar; ``span_of`` takes a node back to the tokens of the document.
"""

from __future__ import annotations

import importlib
from collections import deque
from typing import Any, Deque, Iterable, Iterator, Optional

from ._arsg import Node, Parser, Tree
from ._errors import ParseError

Language = importlib.import_module("spacy.language").Language
Doc = importlib.import_module("spacy.tokens").Doc


def span_of(doc: Any, node: Node) -> Any:
    """The tokens of a document that a node stands over, as a ``Span``; a token on the border belongs to it."""
    start, end = node.span
    return doc.char_span(start, end, alignment_mode="expand")


class Component:
    """Parses documents with a grammar, and writes trees; a text without words has the tree ``None``."""

    def __init__(self, grammar: Optional[str] = None, search: str = "best", threads: Optional[int] = None) -> None:
        if not Doc.has_extension("rst"):
            Doc.set_extension("rst", default=None)
        self.parser = Parser(grammar, search=search)
        self.threads = threads

    def __call__(self, doc: Any) -> Any:
        try:
            doc._.rst = self.parser(doc.text)
        except ParseError:
            doc._.rst = None
        return doc

    def pipe(self, stream: Iterable[Any], batch_size: int = 128) -> Iterator[Any]:
        """Parses many documents with several threads, in their order."""
        waiting: Deque[Any] = deque()

        def texts() -> Iterator[str]:
            for doc in stream:
                waiting.append(doc)
                yield doc.text

        for found in self.parser.pipe(texts(), threads=self.threads, errors="return"):
            doc = waiting.popleft()
            if not isinstance(found, (Tree, ParseError)):
                raise found
            doc._.rst = found if isinstance(found, Tree) else None
            yield doc


@Language.factory("arsg", default_config={"grammar": None, "search": "best", "threads": None})  # type: ignore[untyped-decorator]
def make_component(nlp: Any, name: str, grammar: Optional[str], search: str, threads: Optional[int]) -> Component:
    """What spaCy calls."""
    return Component(grammar, search, threads)
