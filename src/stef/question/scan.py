"""A question on the way to its Reading: its words with what stands between them, and the noun phrases among them."""

from dataclasses import dataclass, field
from functools import lru_cache

from stef.question.grammar import (
    AUXILIARIES,
    BREAKS,
    DETERMINERS,
    DISTINCT_WORDS,
    SMALL_NUMBERS,
    SUPERLATIVES,
    ends_phrase,
)
from stef.question.wordlists import word_set
from stef.question.words import tokenize
from stef.records.expressions import Expr, Phrase, Span
from stef.records.predicates import Clause
from stef.records.reading import Mention, Note, Word
from stef.records.spec import Order, Projection, TopK

_SENTENCE = frozenset(".?!;\n")
_BREAKING = frozenset(',.?!;:\n()[]{}—–"“”|')

_ABBREVIATED = word_set("no nr vs approx mr mrs dr ms jr st nos etc")
_APOSTROPHES = ("'", "’")

STOP, GAP, NONE = 2, 1, 0
MAX_PHRASE = 12
MAX_PARTS = 200
"""No question has longer noun phrases or more notes and projections than this; a hostile text costs no more."""


@dataclass(slots=True)
class Scan:
    """The words of a question with what the readers ask of them; `low` are the folded words.

    `gap[i]` is what stands between word i and the next: NONE, GAP (a comma or the like), STOP (end of a sentence).
    `taken[i]`: the word belongs to a value, a number or a period that was read, so it triggers nothing more.
    """

    text: str
    words: tuple[Word, ...]
    low: list[str]
    gap: bytearray
    taken: bytearray

    def __len__(self) -> int:
        return len(self.words)

    def at(self, index: int) -> str:
        """The folded word at `index`, empty outside the text."""
        return self.low[index] if 0 <= index < len(self.low) else ""

    def starts_sentence(self, index: int) -> bool:
        """Whether the word is the first of its sentence."""
        return index == 0 or self.gap[index - 1] == STOP

    def span(self, first: int, last: int) -> Span:
        """The span of the words from `first` to `last`, both included."""
        return self.words[first].span[0], self.words[last].span[1]

    def slice(self, first: int, last: int) -> str:
        """The text of the words from `first` to `last`, both included."""
        return self.text[self.words[first].span[0] : self.words[last].span[1]]


@dataclass(slots=True)
class Draft:
    """What the readers have found so far."""

    scan: Scan
    projections: list[Projection] = field(default_factory=list)
    filters: list[Clause] = field(default_factory=list)
    group_by: list[Expr] = field(default_factory=list)
    order: list[Order] = field(default_factory=list)
    tops: list[TopK] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    distinct: bool = False
    limit: int | None = None
    offset: int | None = None
    intersection: tuple[int, int] | None = None
    done: set[int] = field(default_factory=set)
    places: set[tuple[str, Span]] = field(default_factory=set)

    def note(self, code: str, first: int, last: int) -> None:
        """Note `code` on the words from `first` to `last`, once a place."""
        span = self.scan.span(first, last)
        if (code, span) not in self.places and len(self.notes) < MAX_PARTS:
            self.places.add((code, span))
            self.notes.append(Note(code, self.scan.text[span[0] : span[1]], span))

    def noted(self, code: str) -> bool:
        """Whether `code` was noted anywhere."""
        return any(note.code == code for note in self.notes)


def scan_text(text: str) -> Scan:
    """The words of `text`, ready for reading."""
    words = tokenize(text)
    gap = bytearray(len(words))
    low = []
    end = -1
    apostrophes = "s'" in text or "s’" in text
    for index, word in enumerate(words):
        start = word.span[0]
        folded = _fold(word.text)
        # The tokenizer leaves the apostrophe of "the singers' names" out.
        if apostrophes and folded[-1] == "s" and text[word.span[1] : word.span[1] + 1] in _APOSTROPHES:
            folded += "'"
        low.append(folded)
        if index and start - end > 1:
            gap[index - 1] = NONE if low[-2] in _ABBREVIATED else _gap(text[end:start])
        end = word.span[1]
    if words:
        gap[-1] = STOP
    return Scan(text, words, low, gap, bytearray(len(words)))


@lru_cache(maxsize=65536)
def _fold(token: str) -> str:
    return token.lower().replace("’", "'")


@lru_cache(maxsize=4096)
def _gap(between: str) -> int:
    found = NONE
    for char in between:
        if char in _SENTENCE:
            # "No. 5", "3.5", "J.R.": only a dot before a space ends anything.
            if char != "." or between.endswith((" ", "\n", '"', "'", "”", "’", ")")):
                return STOP
        elif char in _BREAKING:
            found = GAP
    return found


# "best" and "maximum" are left: they stand in names of columns.
_PICKING = (frozenset(SUPERLATIVES) | {"most", "least", "fewest"}) - {
    "best",
    "worst",
    "maximum",
    "minimum",
    "max",
    "min",
}
_SKIPPED = DETERMINERS | DISTINCT_WORDS
_LEADING = _SKIPPED | _PICKING
_NOT_IN_PHRASE = BREAKS | frozenset(SUPERLATIVES) | {
    "most", "least", "fewest", "more", "less", "fewer", "total", "many", "much", "few",
}  # fmt: skip


def phrase_end(scan: Scan, start: int, *, plural_ends: bool = False) -> int:
    """The end (exclusive) of the noun phrase that starts at `start`: no determiners before it, no "of" inside.

    `plural_ends`: the first plural noun closes it ("how many *singers* perform").
    """
    index = start
    while index < len(scan.words) and index - start < MAX_PHRASE:
        word = scan.low[index]
        if word in BREAKS or word == "of" or scan.taken[index]:
            break
        if index > start and (ends_phrase(word) or word in DETERMINERS or (word == "first" and scan.gap[index])):
            break
        if scan.at(index + 1) == "than":
            break
        index += 1
        if scan.gap[index - 1] or word.endswith(("'s", "s'")):
            break
        if plural_ends and is_plural(word) and not (index < len(scan.words) and is_plural(scan.low[index])):
            break
    return index


_PLURALS = word_set("people children men women feet mice data media criteria indices persons series species")
_SINGULARS = word_set("sales goods news gas bus class address business status process access basis analysis")


def is_plural(word: str) -> bool:
    """Whether a folded word looks like a plural noun."""
    if word in _PLURALS:
        return True
    return len(word) > 3 and word[-1] == "s" and word[-2] not in "su'i" and word not in _SINGULARS


def skip_determiners(scan: Scan, index: int) -> int:
    """The first place from `index` that is no determiner, no "different", and no value ("Marvel heroes")."""
    last = min(index + MAX_PHRASE, len(scan.words) - 1)
    while index < last and not scan.gap[index]:
        word = scan.low[index]
        if not (word in _LEADING or scan.taken[index] or (_is_number(word) and scan.low[index + 1] in _PICKING)):
            break
        index += 1
    return index


def _is_number(word: str) -> bool:
    return word in SMALL_NUMBERS or word.isdigit()


def make_phrase(scan: Scan, first: int, end: int, attached: Phrase | None = None) -> Phrase:
    """A Phrase of the words from `first` up to `end`; `attached` is what follows an "of": "name of song"."""
    stems = tuple(word.stem for word in scan.words[first:end] if not word.stop)
    text = scan.slice(first, end - 1)
    span = scan.span(first, end - 1)
    if attached is not None and attached.text:
        extra = tuple(stem for stem in attached.stems if stem not in stems)
        return Phrase(stems + extra, f"{text} of {attached.text}", span)
    return Phrase(stems, text, span)


def phrase_at(
    scan: Scan, start: int, *, plural_ends: bool = False, attach: bool = True, depth: int = 0
) -> tuple[Phrase | None, int]:
    """The noun phrase from `start` on, with its "of" attachment, and where it ends; None where there is none."""
    first = skip_determiners(scan, start)
    end = phrase_end(scan, first, plural_ends=plural_ends)
    if end <= first:
        return None, start
    last = scan.low[end - 1]
    if depth < 4 and last.endswith(("'s", "s'")) and end < len(scan.words) and not scan.gap[end - 1]:
        # "the singer's name" is "name of singer".
        owner = _possessor(scan, first, end)
        thing, after = phrase_at(scan, end, plural_ends=plural_ends, attach=False, depth=depth + 1)
        if thing is not None:
            stems = thing.stems + tuple(stem for stem in owner.stems if stem not in thing.stems)
            return Phrase(stems, f"{thing.text} of {owner.text}", (scan.words[first].span[0], thing.span[1])), after  # type: ignore[index]
        return owner, end
    if attach and depth < 4 and scan.at(end) == "of" and not scan.gap[end - 1]:
        owner_phrase, after = phrase_at(scan, end + 1, depth=depth + 1)
        if owner_phrase is not None:
            return make_phrase(scan, first, end, owner_phrase), after
    return make_phrase(scan, first, end), end


def _possessor(scan: Scan, first: int, end: int) -> Phrase:
    phrase = make_phrase(scan, first, end)
    text = phrase.text.replace("’", "'")
    return Phrase(phrase.stems, text[:-2] if text.endswith("'s") else text.rstrip("'"), phrase.span)


_BETWEEN = (AUXILIARIES - {"do", "does", "did"}) | word_set("of a an the that which who equal value exactly not")


def phrase_before(scan: Scan, index: int) -> Phrase | None:
    """The noun phrase that ends before word `index`, over "is", "of", "that are" and the like; None at a break."""
    end = index
    copula = False
    while end > 0 and scan.gap[end - 1] != STOP:
        if scan.low[end - 1] not in _BETWEEN and not (scan.low[end - 1] == "to" and scan.at(end - 2) == "equal"):
            break
        if scan.low[end - 1] in ("that", "which", "who") and not copula:
            break
        end -= 1
        copula = copula or scan.low[end] in AUXILIARIES
    if end == 0 or scan.gap[end - 1]:
        return None
    first = end
    while first > 0 and end - first < MAX_PHRASE:
        word = scan.low[first - 1]
        if word in _NOT_IN_PHRASE or word in _SKIPPED or scan.taken[first - 1] or (first < end and scan.gap[first - 1]):
            break
        if word == "of" or (first == end and ends_phrase(word)):
            break
        first -= 1
        if first < end - 1 and ends_phrase(word):
            first += 1
            break
    if first == end or (copula and first and scan.low[first - 1] in _ASKING):
        # "which race was Alex in": what is asked for, and not what the constant is of.
        return None
    return make_phrase(scan, first, end)


_ASKING = word_set("which what many")
