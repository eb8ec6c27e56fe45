"""What arsg finds, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

if TYPE_CHECKING:
    from ._arsg import Model


class Edu(NamedTuple):
    """An elementary discourse unit: ``tree.text[edu.start:edu.end] == edu.text``."""

    text: str
    #: Its first character in the text.
    start: int
    #: The character behind its last one.
    end: int
    #: The block (paragraph, heading, item) it stands in, from 0.
    paragraph: Optional[int] = None
    #: The sentence it begins in, from 0.
    sentence: Optional[int] = None


class StackItem(NamedTuple):
    """A node on the stack of a session, over the EDUs from ``start`` up to, not including, ``end``."""

    start: int
    end: int
    symbol: str
    relation: Optional[str]
    text: str


@dataclass(frozen=True)
class Suggestion:
    """A step that is possible now in a session."""

    #: ``shift`` or ``reduce``.
    action: str
    probability: float
    relation: Optional[str] = None
    #: ``NS``, ``SN`` or ``NN``.
    roles: Optional[str] = None
    symbol: Optional[str] = None
    #: The production that speaks loudest for it.
    rule: Optional[str] = None


class Explanation:
    """Why a step was taken. ``print`` shows it; ``to_dict`` has everything."""

    def __init__(self, text: str, data: Dict[str, Any]) -> None:
        self._text = text
        self._data = data

    @property
    def text(self) -> str:
        """The explanation as people read it."""
        return self._text

    @property
    def rule(self) -> Optional[str]:
        """The id of the rule that made the node."""
        rule = self._data.get("rule")
        return None if rule is None else str(rule["rule"])

    @property
    def probability(self) -> Optional[float]:
        """The probability of the step."""
        row = self._data.get("row")
        return None if row is None else float(row["probability"])

    def to_dict(self) -> Dict[str, Any]:
        """The explanation as plain data, as ``arsg explain --json`` writes it."""
        return self._data

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<arsg.Explanation: {self._text.splitlines()[0] if self._text else ''}>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self._text)}</pre>"


@dataclass(frozen=True)
class Part:
    """A part of a lexical core: ``text[part.start:part.end] == part.text``."""

    text: str
    start: int
    end: int
    #: Taken over from an earlier clause.
    inherited: bool = False
    #: How it was found.
    found: str = ""
    #: Of times: the days that are meant.
    value: Optional[str] = None


@dataclass(frozen=True)
class Core:
    """A lexical core of a text: when, who, what, how."""

    #: The place of its EDU.
    edu: int
    time: Optional[Part]
    agent: Optional[Part]
    object: Optional[Part]
    state: Part
    amount: Optional[Part] = None
    #: Compared with when: 同比, 环比.
    basis: Optional[Part] = None
    negated: bool = False
    #: The domain relation that the state triggers.
    relation: Optional[str] = None

    @staticmethod
    def _of(data: Dict[str, Any]) -> "Core":
        def part(name: str) -> Optional[Part]:
            found = data.get(name)
            return None if found is None else Part(**found)

        return Core(
            edu=data["edu"],
            time=part("time"),
            agent=part("agent"),
            object=part("object"),
            state=Part(**data["state"]),
            amount=part("amount"),
            basis=part("basis"),
            negated=data.get("negated", False),
            relation=data.get("relation"),
        )


@dataclass(frozen=True)
class Score:
    """How many nodes agree: ``f1``, ``precision`` and ``recall`` lie between 0 and 1."""

    f1: float
    precision: float
    recall: float
    matched: int
    gold: int
    predicted: int
    #: The 95% interval of ``f1``, by drawing documents again; of original Parseval of two or more.
    interval: Optional[Tuple[float, float]] = None


@dataclass(frozen=True)
class Figures:
    """S, N, R and F: span, span and nuclearity, span and relation, all three."""

    span: Score
    nuclearity: Score
    relation: Score
    full: Score

    @staticmethod
    def _of(data: Dict[str, Any], intervals: Optional[Dict[str, Any]] = None) -> "Figures":
        def score(name: str) -> Score:
            low_high = None if intervals is None else intervals[name]
            return Score(**data[name], interval=None if low_high is None else (low_high[0], low_high[1]))

        return Figures(score("span"), score("nuclearity"), score("relation"), score("full"))


@dataclass(frozen=True)
class DocumentScore:
    """How one predicted tree compares with its gold tree."""

    id: str
    gold_edus: int
    predicted_edus: int
    original: Figures
    rst: Figures


@dataclass(frozen=True)
class Parseval:
    """How predicted trees compare with gold trees. ``print`` shows a table in percent."""

    #: Original Parseval: inner nodes of binary trees.
    original: Figures
    #: RST-Parseval: all nodes but the root.
    rst: Figures
    documents: List[DocumentScore]
    #: Original Parseval by level of the text: ``sentence``, ``paragraph`` ...
    levels: Dict[str, Figures]
    #: R of original Parseval by relation.
    relations: Dict[str, Score]
    text: str = field(repr=False, default="")

    @property
    def span(self) -> Score:
        """S of original Parseval."""
        return self.original.span

    @property
    def nuclearity(self) -> Score:
        """N of original Parseval."""
        return self.original.nuclearity

    @property
    def relation(self) -> Score:
        """R of original Parseval."""
        return self.original.relation

    @property
    def full(self) -> Score:
        """F of original Parseval."""
        return self.original.full

    def __str__(self) -> str:
        return self.text

    @staticmethod
    def _of(data: Dict[str, Any], text: str) -> "Parseval":
        return Parseval(
            original=Figures._of(data["original"], data.get("intervals")),
            rst=Figures._of(data["rst"]),
            documents=[
                DocumentScore(
                    id=one["id"],
                    gold_edus=one["gold_edus"],
                    predicted_edus=one["predicted_edus"],
                    original=Figures._of(one["original"]),
                    rst=Figures._of(one["rst"]),
                )
                for one in data["documents"]
            ],
            levels={one["level"]: Figures._of(one["original"]) for one in data["levels"]},
            relations={one["relation"]: Score(**one["original"]) for one in data["relations"]},
            text=text,
        )


@dataclass(frozen=True)
class SummaryLine:
    """A line of a summary, with where it comes from."""

    text: str
    #: The id of its text.
    doc: str
    #: The EDUs shown: stretches from the first up to, not including, the second number.
    edus: List[Tuple[int, int]]
    words: int
    #: The weight of its text.
    weight: float
    #: Its place in its text's own order of priority, from 1.
    rank: int
    #: What it was chosen by.
    f: float
    #: The way down from the root of the tree: role, relation, EDUs.
    path: List[Tuple[str, Optional[str], Tuple[int, int]]]


@dataclass(frozen=True)
class Summary:
    """A summary. ``print`` shows its lines."""

    method: str
    length: str
    unit: str
    texts: int
    words: int
    edus: int
    lines: List[SummaryLine]
    #: What in the texts contradicts its lines, as plain data.
    contradictions: List[Dict[str, Any]]
    text: str = field(repr=False, default="")

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    @staticmethod
    def _of(data: Dict[str, Any], text: str) -> "Summary":
        return Summary(
            method=data["method"],
            length=data["length"],
            unit=data["unit"],
            texts=data["texts"],
            words=data["words"],
            edus=data["edus"],
            lines=[
                SummaryLine(
                    text=line["text"],
                    doc=line["doc"],
                    edus=[(first, end) for first, end in line["edus"]],
                    words=line["words"],
                    weight=line["weight"],
                    rank=line["rank"],
                    f=line["f"],
                    path=[
                        (step["role"], step.get("relation"), (step["edus"][0], step["edus"][1]))
                        for step in line.get("path", ())
                    ],
                )
                for line in data["lines"]
            ],
            contradictions=data.get("contradictions", []),
            text=text,
        )


@dataclass(frozen=True)
class Vectors:
    """Vectors of texts: ``numpy.array(vectors.vectors)`` is their table."""

    ids: List[str]
    #: How many lexical cores each text has; a text without cores lies at zero.
    cores: List[int]
    vectors: List[List[float]]

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[List[float]]:
        return iter(self.vectors)


@dataclass(frozen=True)
class Embedding(Vectors):
    """Vectors of texts with the model that was learned from them."""

    model: "Model" = field(repr=False)
    #: The loss of every epoch, and that of the cores that were held out.
    history: List[Tuple[float, float]] = field(default_factory=list)
