"""Values in a question: what is quoted, what is written like a name, and codes such as "TR041"."""

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass

from stef.question.grammar import (
    ASK_VERBS,
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    MONTHS_AND_DAYS,
    NATIONALITIES,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    SUPERLATIVES,
)
from stef.question.scan import NONE, STOP, Scan, phrase_before
from stef.records.expressions import Literal, Phrase, Span
from stef.records.predicates import Clause, Op, Pattern, PatternKind, Predicate, Scope

# Bounded on both sides, so that no text costs more than its length.
_QUOTES = re.compile(
    r"\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|``([^`'\n]{1,300})''|(?<!\w)‘([^\n]{1,300}?)’(?!\w)|"
    r"(?<![\w'])'(?=\S)([^\n]{1,300}?)(?<=\S)'(?![\w'])"
)
_CODE = re.compile(r"(?=\w*\d)(?=\w*[A-Za-z])\w+")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|k|m|am|pm|cm|kg|mb|gb|d|h|min)$", re.IGNORECASE)

_CONNECTORS = frozenset("of the de van von der di la le du del da dos al el bin y".split())
_NAMERS = frozenset("named called titled name title nicknamed labeled labelled known entitled".split())
_PLACERS = frozenset(
    "in from at by to named called titled near within of using speak speaks speaking use uses with like vs versus "
    "between for into model brand made via through on about".split()
)
_NEGATORS = frozenset("not without except excluding never no neither nor besides cannot".split())
_NO_NAMES = frozenset(
    "i id ids no nr ok url urls api sql csv json html pdf usa-states please also hint note gdp gnp iq sat gpa tv pc cpu "
    "ai it hr ceo cfo crm erp kpi roi fk pk utc null dob avg sum max min count top faq".split()
)
_STARTERS = (
    ASK_VERBS
    | AUXILIARIES
    | CONJUNCTIONS
    | DETERMINERS
    | PREPOSITIONS
    | PRONOUNS
    | RELATIVES
    | MONTHS_AND_DAYS
    | frozenset(SUPERLATIVES)
    | frozenset(
        "what's who's please of tally average total most least number percentage top not no assuming considering suppose given "
        "users user customers first last more fewer lists counts average maximum minimum only many rate ratio".split()
    )
)


@dataclass(frozen=True, slots=True)
class ValueMention:
    """A value as written, without quotes and possessive; `first`, `last` are the places of its words.

    `words` is empty (`last` < `first`) for a quoted symbol such as '+'. `certain`: a value for sure, and no title,
    column or abbreviation that is merely written with capitals.
    """

    text: str
    span: Span
    first: int
    last: int
    quoted: bool
    certain: bool


def find_values(scan: Scan) -> list[ValueMention]:
    """The values of a question in order; their words are marked as taken. Words that are taken already are left."""
    found = _quoted(scan)
    if _has_capitals(scan):
        found += _capitalised(scan)
        found.sort(key=lambda value: value.span)
    return found


def _quoted(scan: Scan) -> list[ValueMention]:
    text = scan.text
    if not any(mark in text for mark in "\"'“`‘"):
        return []
    starts = [word.span[0] for word in scan.words]
    found = []
    for match in _QUOTES.finditer(text):
        group = match.lastindex or 1
        inner = match.group(group)
        start, end = match.span(group)
        stripped = inner.strip().rstrip(".,;?") or inner.strip()
        if not stripped:
            continue
        first, last = bisect_left(starts, start), bisect_left(starts, end) - 1
        for index in range(first, last + 1):
            scan.taken[index] = 1
        found.append(ValueMention(stripped, (start, end), first, last, quoted=True, certain=True))
    return found


def _has_capitals(scan: Scan) -> bool:
    """Whether capitals tell names from words: not in a text that is all capitals, or all in title case."""
    alpha = [word.text for word in scan.words[1:] if word.text[0].isalpha()]
    capitals = sum(1 for word in alpha if word[0].isupper())
    return 0 < capitals and (len(alpha) < 4 or capitals * 5 <= len(alpha) * 4)


def _capitalised(scan: Scan) -> list[ValueMention]:
    found = []
    index, count = 0, len(scan.words)
    while index < count:
        end = _run_end(scan, index) if _may_start(scan, index) else index
        if end > index:
            value = _name(scan, index, end - 1)
            if value is not None:
                found.append(value)
            index = end
        else:
            index += 1
    return found


def _may_start(scan: Scan, index: int) -> bool:
    if scan.taken[index]:
        return False
    text = scan.words[index].text
    low = scan.low[index]
    if text[0].isupper():
        if low in _NO_NAMES or low in MONTHS_AND_DAYS or _bare(low) in _NO_NAMES:
            return False
        if scan.starts_sentence(index):
            ahead = _over_connectors(scan, index + 1) if index + 1 < len(scan) else index
            following = scan.words[ahead].text if index + 1 < len(scan) and not scan.gap[index] else ""
            possessive = low.endswith(("'s", "s'"))
            return low not in _STARTERS and (possessive or following[:1].isupper() or _is_code(text))
        return not (low in _STARTERS and low not in SUPERLATIVES and len(text) < 5 and text != text.upper())
    return text[0].isdigit() and _starts_with_digit(scan, index)


def _starts_with_digit(scan: Scan, index: int) -> bool:
    """ "3-D Man": digits glued to a capital; and codes such as 5B7."""
    text = scan.words[index].text
    if _is_code(text):
        return any(char.isupper() for char in text)
    return index + 1 < len(scan) and _glued(scan, index) == "-" and scan.words[index + 1].text[0].isupper()


def _glued(scan: Scan, index: int) -> str:
    """What stands between a word and the next, where that is no space: one character or none; else a space."""
    between = scan.text[scan.words[index].span[1] : scan.words[index + 1].span[0]]
    return between if between in ("", "-", "_", "/", ".", "&", "'", "’", ":", "+") else " "


def _is_code(text: str) -> bool:
    return _CODE.fullmatch(text) is not None and _ORDINAL.fullmatch(text) is None


def _run_end(scan: Scan, start: int) -> int:
    index, count = start + 1, len(scan)
    while index < count and not scan.taken[index]:
        previous = scan.low[index - 1]
        if previous.endswith(("'s", "s'")) and not scan.words[index].text[0].isupper():
            break
        glue = _glued(scan, index - 1)
        if glue != " " and glue != "/":
            index += 1
            continue
        between = scan.text[scan.words[index - 1].span[1] : scan.words[index].span[0]]
        if between.strip(" .&+") and between != ": ":
            break
        if scan.gap[index - 1] == STOP or (":" in between):
            break
        text = scan.words[index].text
        if (text[0].isupper() and scan.low[index] not in _NO_NAMES and scan.low[index] not in MONTHS_AND_DAYS) or (
            text[0].isdigit() and len(text) < 5 and not _ORDINAL.fullmatch(text)
        ):
            index += 1
            continue
        ahead = _over_connectors(scan, index)
        if ahead == index:
            break
        index = ahead + 1
    return index


def _over_connectors(scan: Scan, index: int) -> int:
    """The place of the capital after "of", "of the", "de la"…; `index` itself where there is none."""
    ahead = index
    while ahead < len(scan) and ahead - index < 3 and scan.low[ahead] in _CONNECTORS and not scan.gap[ahead]:
        ahead += 1
    if ahead in (index, len(scan)) or scan.taken[ahead]:
        return index
    if scan.low[index] == "of" and scan.words[index - 1].text.isupper() and len(scan.words[index - 1].text) > 1:
        return index
    text = scan.words[ahead].text
    return ahead if text[0].isupper() and scan.low[ahead] not in _NO_NAMES else index


def _bare(low: str) -> str:
    return low[:-2] if low.endswith("'s") else low.rstrip("'")


def _name(scan: Scan, first: int, last: int) -> ValueMention | None:
    span = scan.span(first, last)
    text = scan.text[slice(*span)].replace("’", "'")
    if text.endswith("'s"):
        text = text[:-2]
        span = (span[0], span[1] - 2)
    for index in range(first, last + 1):
        scan.taken[index] = 1
    return ValueMention(text, span, first, last, quoted=False, certain=_is_certain(scan, first, last, text))


def _is_certain(scan: Scan, first: int, last: int, text: str) -> bool:
    low = _bare(text.lower())
    if low in NATIONALITIES or _looks_like_column(scan, first, last):
        return False
    if any(char.isdigit() for char in text):
        return True
    placed = scan.at(first - 1) in _PLACERS
    if last > first:
        return True
    return placed and not (text.isupper() and len(text) < 5 and scan.gap[last] == NONE)


_COLUMN_HEADS = frozenset(
    "id ids code codes number numbers name names score scores rate rates level levels count counts date type types "
    "rating ratings status value values percentage amount time channel channels series".split()
)


def _looks_like_column(scan: Scan, first: int, last: int) -> bool:
    """ "Free Meal Count", "SAT scores", "TV Channel": capitals on the name of a column."""
    if scan.low[last] in _COLUMN_HEADS:
        return True
    after = scan.at(last + 1) if not scan.gap[last] else ""
    return after in _COLUMN_HEADS and scan.words[last].text.isupper()


def value_clause(scan: Scan, value: ValueMention) -> Clause:
    """The filter that a value states: equality, or a pattern ("containing", "starts with"), negated where it says so."""
    subject = value_subject(scan, value)
    negated = is_negated(scan, value.first)
    kind = _pattern_kind(scan, value)
    if kind is not None:
        pattern = Pattern(kind, fold_value(value.text))
        predicate = Predicate(subject, Op.LIKE, negated, pattern=pattern, span=value.span)
    else:
        literal = Literal(fold_value(value.text), value.text, value.quoted, value.span)
        predicate = Predicate(subject, Op.IN, negated, values=(literal,), span=value.span)
    return Clause((predicate,), Scope.ASKED, value.span)


def fold_value(text: str) -> str:
    """Text as a canonical literal: NFC, folded case, single spaces."""
    folded = text if text.isascii() else unicodedata.normalize("NFC", text)
    return " ".join(folded.casefold().split())


def value_subject(scan: Scan, value: ValueMention) -> Phrase:
    """What the words say that the value is of ("airport 'CVO'", "the city of Aberdeen"); no stems where they do not."""
    index = value.first
    while index > 0 and (scan.low[index - 1] in _NAMERS or scan.low[index - 1] in _PATTERN_WORDS):
        if scan.low[index - 1] in ("name", "title"):
            break
        index -= 1
    phrase = phrase_before(scan, index)
    return phrase if phrase is not None else Phrase(())


_PATTERN_WORDS = frozenset("word words substring letter letters phrase string text contain contains containing".split())
_PREFIX_WORDS = frozenset("start starts starting started begin begins beginning".split())
_SUFFIX_WORDS = frozenset("end ends ending ended".split())


def _pattern_kind(scan: Scan, value: ValueMention) -> PatternKind | None:
    before = scan.low[max(0, value.first - 5) : value.first]
    for word in reversed(before):
        if word in _PREFIX_WORDS:
            return PatternKind.PREFIX
        if word in _SUFFIX_WORDS:
            return PatternKind.SUFFIX
        if word in _PATTERN_WORDS:
            continue
        if word not in ("the", "with", "a", "in", "by", "like"):
            break
    nearest = before[-2:]
    if any(word in _PATTERN_WORDS for word in nearest):
        return PatternKind.CONTAINS
    after = scan.low[value.last + 1 : value.last + 4]
    if value.quoted and len(after) == 3 and after[0] in ("in", "within") and after[2] in _TITLES:
        return PatternKind.CONTAINS
    return None


_TITLES = frozenset("name names title titles description text address".split())


def is_negated(scan: Scan, index: int) -> bool:
    """Whether a negation before word `index`, in the same part of the sentence, covers it."""
    at = index - 1
    while at >= 0 and index - at <= 7:
        word = scan.low[at]
        if scan.gap[at] or word in ("and", "but", "or", "which", "who", "that") or scan.taken[at]:
            return word in ("that", "but") and False
        if word in _NEGATORS or word.endswith("n't"):
            return scan.at(at + 1) not in ("more", "less", "only", "fewer", "later", "earlier")
        if word == "than" and scan.at(at - 1) == "other":
            return True
        at -= 1
    return False
