"""What the words of a turn mention: the other half of grounding, from SQL back to the question."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

from rapidfuzz.fuzz import ratio

from stef.alignment.intervals import numeric, points
from stef.alignment.policy import Policy
from stef.question.numbers import find_numbers
from stef.question.synonyms import GENERIC, related
from stef.question.words import name_stems, tokenize
from stef.records.alignment import Enrichment
from stef.records.expressions import Agg, Binary, Case, Column, Expr, Func, Literal, Opaque, Phrase, Subquery, Window
from stef.records.reading import QuestionReading, Tie
from stef.records.record import record
from stef.records.spec import SetOp

_NOT_WORD = re.compile(r"[^\w%]+")
_NEGATIONS = tuple(
    f" {word} "
    for word in (
        *("not", "no", "without", "never", "none", "neither", "nor", "except", "excluding", "exclude", "other than"),
        *("don t", "doesn t", "didn t", "isn t", "aren t", "wasn t", "weren t", "haven t", "hasn t", "can t", "cannot"),
    )
)
_FLAGS = frozenset(("0", "1", "y", "n", "yes", "no", "t", "f", "true", "false", "x", "+", "-", ""))


@record(frozen=True, slots=True)
class Ground:
    """The words, numbers and texts that a turn mentions.

    `stems` are those of the content words; `near` adds their synonyms, with how near each is; `text` is folded,
    single-spaced, with a space at both ends; `ties` are what hints say that words stand for.
    """

    text: str
    stems: frozenset[str]
    near: Mapping[str, float]
    numbers: frozenset[float]
    names: dict[str, tuple[tuple[str, ...], ...]]
    values: dict[str, frozenset[tuple[str, str]]]
    ties: tuple[Tie, ...] = ()

    @property
    def alternatives(self) -> bool:
        """Whether the turn speaks of alternatives."""
        return " or " in self.text or " either " in self.text

    @property
    def negates(self) -> bool:
        """Whether the turn says "not" somewhere."""
        return any(word in self.text for word in _NEGATIONS)

    def names_column(self, name: str, sources: Iterable[str] = ()) -> float:
        """How surely the words name this column, in [0, 1]: the share of its name's stems that are mentioned.

        With `sources`, a word for the table stands half for any of its columns ("singers" for `singer.name`).
        """
        stems = name_stems(name)
        best = _share(stems, self.near)
        if best < 0.5:
            best = max(best, self._glued(name))
        for business in self.names.get(name, ()):
            best = max(best, _share(business, self.near))
        if best < 1.0 and any(_share(name_stems(_table(key)), self.near) >= 0.8 for key in sources):
            best = max(best, 0.5)
        return best

    def _glued(self, name: str) -> float:
        """How much of a name without separators ("isofficial") a single word of the question makes up, in [0, 1)."""
        longest = max((len(stem) for stem in self.stems if len(stem) >= 4 and stem in name), default=0)
        return 0.9 * longest / len(name) if longest else 0.0

    def names_expr(self, expr: Expr, *, tables: bool = True) -> float:
        """How surely the words name something that `expr` is made of; `tables`: by its table too."""
        match expr:
            case Column():
                return self.names_column(expr.name, expr.sources if tables else ())
            case Phrase():
                return _share(expr.stems, self.near)
            case Func() | Opaque():
                parts = expr.args if isinstance(expr, Func) else expr.parts
                return max((self.names_expr(part, tables=tables) for part in parts), default=0.0)
            case Agg():
                return 1.0 if expr.arg is None else self.names_expr(expr.arg, tables=tables)
            case Binary():
                return max(self.names_expr(expr.left, tables=tables), self.names_expr(expr.right, tables=tables))
            case Window():
                return self.names_expr(expr.func, tables=tables)
            case Subquery():
                shown = () if isinstance(expr.query, SetOp) else expr.query.projections
                return max((self.names_expr(one.expr, tables=tables) for one in shown), default=0.0)
            case Case():
                return max((self.names_expr(result, tables=tables) for _, result in expr.whens), default=0.0)
            case _:
                return 0.0

    def mentions(self, literal: Literal, subject: Expr | None = None) -> bool:
        """Whether the turn mentions this constant: its text, its words, its number, or a business name of it."""
        number = numeric(literal)
        text = fold(literal.text or str(literal.value))
        stored = self.stored_for(text.strip(), subject)
        if stored and text.strip() not in stored:
            return False  # the rules know another spelling for this column
        if number is not None and number in self.numbers:
            return True
        if text.strip() and text in self.text:
            return True
        if text.strip() in _FLAGS or literal.value is True or literal.value is False:
            return subject is not None and self.names_expr(subject, tables=False) >= 0.5
        if number is not None:
            return False
        if self._goes_by(text.strip(), subject):
            return True
        return self._mentions_words(text.split())

    def stored_for(self, name: str, subject: Expr | None) -> frozenset[str]:
        """What the rules say is stored in this column for a name of a value (folded); empty: they say nothing."""
        if not isinstance(subject, Column) or name not in self.values:
            return frozenset()
        return frozenset(value for of, value in self.values[name] if of == subject.name)

    def _goes_by(self, stored: str, subject: Expr | None) -> bool:
        """Whether the turn mentions a business name of this stored value."""
        column = subject.name if isinstance(subject, Column) else None
        return any(
            f" {name} " in self.text and any(value == stored and column in (None, of) for of, value in pairs)
            for name, pairs in self.values.items()
        )

    def mentions_text(self, text: str) -> bool:
        """Whether the turn mentions a piece of text, as it stands or word by word."""
        folded = fold(text)
        return bool(folded.strip()) and (folded in self.text or self._mentions_words(folded.split()))

    def _mentions_words(self, words: list[str]) -> bool:
        """All words of a value are mentioned, each as itself, as a stem, or spelled nearly so."""
        if not words or len("".join(words)) < 3:
            return False
        return all(self._mentions_word(word) for word in words)

    def _mentions_word(self, word: str) -> bool:
        stems = name_stems(word)
        if stems and all(self.near.get(stem, 0.0) >= 0.7 for stem in stems):
            return True
        return len(word) >= 4 and any(_nearly(stem, word) for stem in self.stems)


@record(frozen=True, slots=True)
class Grounds:
    """The words of the question alone, of question and enriched question, and of what the latter invented."""

    question: Ground
    both: Ground
    invented: Ground | None = None


def grounds_of(
    policy: Policy, question: QuestionReading, enriched: QuestionReading | None, enrichment: Enrichment
) -> Grounds:
    """The grounds of one turn."""
    own = ground_of(policy, question)
    if enriched is None:
        return Grounds(own, own)
    added = "; ".join((*enrichment.added, *(text.rpartition("→")[2] for text in enrichment.contradicted)))
    invented = ground_of(policy, QuestionReading(added, words=tokenize(added))) if added else None
    return Grounds(own, ground_of(policy, question, enriched), invented)


def ground_of(policy: Policy, *readings: QuestionReading | None) -> Ground:
    """The ground that some readings of one turn lay, under the business names of `policy`."""
    there = [reading for reading in readings if reading is not None]
    stems = frozenset(word.stem for reading in there for word in reading.words if not word.stop)
    numbers = set().union(*(_numbers(reading.text) for reading in there))
    for reading in there:
        for mention in reading.mentions:
            if mention.clause is not None:
                numbers.update(point for predicate in mention.clause.predicates for point in points(predicate))
    ties = tuple(tie for reading in there for tie in reading.ties)
    names = _with_ties(policy.names, ties)
    text = "".join(fold(reading.text) for reading in there)
    return Ground(text, stems, _near(stems), frozenset(numbers), names, policy.values, ties)


@lru_cache(maxsize=4096)
def _near(stems: frozenset[str]) -> Mapping[str, float]:
    """Stems and their synonyms, with how near each is."""
    near: dict[str, float] = {}
    for stem in stems:
        for other, strength in related(stem).items():
            near[other] = max(strength, near.get(other, 0.0))
    near.update(dict.fromkeys(stems, 1.0))
    return near


@lru_cache(maxsize=4096)
def _numbers(text: str) -> frozenset[float]:
    """Every number that a text names."""
    return frozenset(float(number.value) for number in find_numbers(text, tokenize(text)))


def _with_ties(
    names: dict[str, tuple[tuple[str, ...], ...]], ties: tuple[Tie, ...]
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Business names, and what hints say that a column is called; a hint may lead on to the next."""
    if not ties:
        return names
    found = dict(names)
    for tie in ties:
        phrases = [tie.phrase.stems, *(one.phrase.stems for one in ties if one.target == tie.phrase)]
        if isinstance(tie.target, Column):
            known = found.get(tie.target.name, ())
            found[tie.target.name] = (*known, *(stems for stems in phrases if stems))
    return found


@lru_cache(maxsize=16_384)
def fold(text: str) -> str:
    """Text for comparison: NFC, case folded, words parted by single spaces, with a space at both ends."""
    return f" {_NOT_WORD.sub(' ', unicodedata.normalize('NFC', text).casefold()).strip()} "


def _table(key: str) -> str:
    return key.rsplit(".", 1)[-1].split("#", 1)[0]


def _nearly(stem: str, word: str) -> bool:
    """Whether one begins with the other ("Asian", "Asia"), or they are spelled nearly alike."""
    if stem[0] != word[0] or abs(len(stem) - len(word)) > 3 or len(stem) < 4:
        return False
    return stem.startswith(word) or word.startswith(stem) or (len(word) >= 5 and ratio(stem, word) >= 75.0)


def _share(stems: tuple[str, ...], near: Mapping[str, float]) -> float:
    """How much of a name is mentioned; generic parts ("id", "name") weigh less than the others."""
    total = found = 0.0
    for stem in stems:
        weight = 0.35 if stem in GENERIC else 1.0
        total += weight
        found += weight * near.get(stem, 0.0)
    return found / total if total else 0.0
