"""What goes wrong, as exceptions that say where and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Optional, Tuple, Type


@dataclass(frozen=True)
class Diagnostic:
    """A problem in a grammar, a schema or a tree: a stable code, a place, and often a way out.

    >>> import arsg
    >>> try:
    ...     arsg.Grammar.from_text('schema "finance"\\nprefer wait _ _ . _')
    ... except arsg.GrammarError as error:
    ...     problem = error.diagnostics[0]
    >>> problem.severity, problem.line
    ('error', 2)
    """

    code: str
    severity: str
    message: str
    path: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    start: Optional[int] = None
    end: Optional[int] = None
    text: Optional[str] = None
    label: Optional[str] = None
    help: Optional[str] = None

    def __str__(self) -> str:
        place = "" if self.path is None else f"{self.path}:{self.line}:{self.column}: "
        help = "" if self.help is None else f"\n  help: {self.help}"
        return f"{place}{self.severity}[{self.code}]: {self.message}{help}"


class ArsgError(Exception):
    """What goes wrong in arsg. ``help`` says what to do about it, where something can be suggested."""

    def __init__(self, message: str, help: Optional[str] = None) -> None:
        super().__init__(message)
        self.help = help

    def __str__(self) -> str:
        message = super().__str__()
        return message if self.help is None else f"{message}; {self.help}"

    def __reduce__(self) -> Tuple[Type["ArsgError"], Tuple[Any, ...]]:
        return type(self), (self.args[0], self.help)


class InvalidError(ArsgError, ValueError):
    """What a person wrote does not validate; ``diagnostics`` has everything that is wrong with it."""

    def __init__(self, message: str, diagnostics: List[Diagnostic], drawing: str = "") -> None:
        super().__init__(message)
        self.diagnostics = diagnostics
        #: The problems with the lines they speak of, drawn for a terminal.
        self.drawing = drawing

    def __str__(self) -> str:
        return "\n".join([Exception.__str__(self), *map(str, self.diagnostics)])

    def __reduce__(self) -> Tuple[Type["ArsgError"], Tuple[Any, ...]]:
        return type(self), (self.args[0], self.diagnostics, self.drawing)


class GrammarError(InvalidError):
    """A grammar or a schema has errors."""


class TreeError(InvalidError):
    """A file of trees has errors, or trees cannot be compared."""


class ParseError(ArsgError, ValueError):
    """There is nothing to parse, or nothing to work on."""


class UsageError(ArsgError, ValueError):
    """The call itself makes no sense."""


class MissingError(ArsgError, LookupError):
    """Something that was named is not there."""


class InternalError(ArsgError, RuntimeError):
    """A mistake in arsg itself. Please report it."""


class ArsgWarning(UserWarning):
    """Something odd that does not stop the work."""
