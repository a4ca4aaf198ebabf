"""Values in a question: what is quoted, what is written like a name, and codes such as "TR041"."""

import re
from bisect import bisect_left
from dataclasses import replace

from stef.question.grammar import (
    ASK_VERBS,
    AUXILIARIES,
    BREAKS,
    CONJUNCTIONS,
    DETERMINERS,
    MONTHS_AND_DAYS,
    NATIONALITIES,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    SUPERLATIVES,
)
from stef.question.scan import STOP, Scan
from stef.question.value_certainty import bare, is_certain, is_code, is_ordinal, looks_like_column
from stef.question.wordlists import word_set
from stef.records.expressions import Span
from stef.records.record import record

# Bounded on both sides, so that no text costs more than its length.
_QUOTES = re.compile(
    r"\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|``([^`'\n]{1,300})''|(?<!\w)‘([^\n]{1,300}?)’(?!\w)|"
    r"(?<![\w'])'(?=\S)([^\n]{1,300}?)(?<=\S)'(?![\w'])"
)

_CONNECTORS = word_set("of the de van von der di la le du del da dos al el bin y for")
_NO_NAMES = word_set(
    "i id ids no nr ok url urls api sql csv json html pdf usa-states please also hint note gdp gnp iq sat gpa tv pc "
    "cpu ai it hr ceo cfo crm erp kpi roi fk pk utc null dob avg sum max min count top faq"
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
    | word_set(
        "what's who's please of tally average total most least number percentage top not no assuming considering "
        "suppose given users user customers first last more fewer lists counts average maximum minimum only many "
        "rate ratio up down off"
    )
)


@record(frozen=True, slots=True)
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
    found += _named(scan)
    if _has_capitals(scan):
        found += _capitalised(scan)
        found.sort(key=lambda value: value.span)
        found = _as_lists(scan, found)
    return [_with_marks(scan.text, value) for value in found]


def _with_marks(text: str, value: ValueMention) -> ValueMention:
    """ "A+", "C#", "OT_": marks right behind a name belong to it, where no further word begins."""
    end = value.span[1]
    if value.quoted or text[end : end + 1] not in _MARKS or not text[end : end + 1]:
        return value
    last = end
    while last < len(text) and text[last] in _MARKS:
        last += 1
    if last - end > 2 or (last < len(text) and text[last].isalnum()):
        return value
    return replace(value, text=value.text + text[end:last], span=(value.span[0], last))


_MARKS = "+#_*"


def _named(scan: Scan) -> list[ValueMention]:
    """What is introduced as a name or a word, however it is written: "the tag named sample", "the word computer"."""
    found = []
    for index, word in enumerate(scan.low[:-1]):
        if word not in _INTRODUCERS or scan.gap[index] or scan.taken[index]:
            continue
        first = index + 1
        if word in _WORD_NOUNS and scan.low[first] in DETERMINERS and first + 1 < len(scan):
            first += 1
        text = scan.words[first].text
        letter = word in _WORD_NOUNS and len(text) == 1
        if scan.taken[first] or (not letter and (text[0].isupper() or _is_grammar(scan, first))):
            continue
        if word == "text" or (word in _WORD_NOUNS and _is_plural_word(scan.low[first])):
            continue
        scan.taken[first] = 1
        found.append(ValueMention(text, scan.words[first].span, first, first, quoted=False, certain=True))
    return found


def _is_grammar(scan: Scan, index: int) -> bool:
    return scan.words[index].stop or scan.low[index] in BREAKS or scan.low[index] == "of"


_WORD_NOUNS = word_set("word substring letter phrase")
_INTRODUCERS = _WORD_NOUNS | word_set("named called titled")


def _is_plural_word(low: str) -> bool:
    return low in ("count", "counts", "length", "number") or low.endswith("s")


def _as_lists(scan: Scan, found: list[ValueMention]) -> list[ValueMention]:
    """ "Dutch or English", "Orange County, Virginia": what is certain of one name is certain of its list."""
    result = list(found)
    for index in range(1, len(result)):
        left, right = result[index - 1], result[index]
        if left.certain == right.certain or left.last < left.first or right.last < right.first:
            continue
        between = scan.low[left.last + 1 : right.first]
        joined = all(word in ("and", "or", "but", "not", "nor", "from") for word in between)
        if not joined or (not between and "," not in scan.text[left.span[1] : right.span[0]]):
            continue
        if left.certain and not looks_like_column(scan, right.last):
            result[index] = replace(right, certain=True)
        elif right.certain and not looks_like_column(scan, left.last):
            result[index - 1] = replace(left, certain=True)
    return result


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
    return capitals > 0 and (len(alpha) < 4 or capitals * 5 <= len(alpha) * 4)


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
        if (
            index
            and not scan.gap[index - 1]
            and (
                (scan.low[index - 1] in _NO_NAMES and scan.words[index - 1].text.isupper())
                or _glued(scan, index - 1) == "-"
            )
        ):
            return False
        if low in _NO_NAMES or low in MONTHS_AND_DAYS or bare(low) in _NO_NAMES:
            return False
        if scan.starts_sentence(index):
            ahead = _over_connectors(scan, index + 1) if index + 1 < len(scan) else index
            following = scan.words[ahead].text if index + 1 < len(scan) and not scan.gap[index] else ""
            possessive = low.endswith(("'s", "s'"))
            return low not in _STARTERS and (possessive or following[:1].isupper() or is_code(text))
        return not (low in _STARTERS and low not in SUPERLATIVES and len(text) < 5 and text != text.upper())
    return text[0].isdigit() and _starts_with_digit(scan, index)


def _starts_with_digit(scan: Scan, index: int) -> bool:
    """ "3-D Man": digits glued to a capital; and codes such as 5B7."""
    text = scan.words[index].text
    if is_code(text):
        return any(char.isupper() for char in text)
    return index + 1 < len(scan) and _glued(scan, index) == "-" and scan.words[index + 1].text[0].isupper()


def _glued(scan: Scan, index: int) -> str:
    """What stands between a word and the next, where that is no space: one character or none; else a space."""
    between = scan.text[scan.words[index].span[1] : scan.words[index + 1].span[0]]
    return between if between in ("", "-", "_", "/", ".", "&", "'", "’", ":", "+") else " "


def _run_end(scan: Scan, start: int) -> int:
    index, count = start + 1, len(scan)
    while index < count and not scan.taken[index]:
        previous = scan.low[index - 1]
        if previous.endswith(("'s", "s'")) and not scan.words[index].text[0].isupper():
            break
        glue = _glued(scan, index - 1)
        if glue not in {" ", "/"}:
            index += 1
            continue
        between = scan.text[scan.words[index - 1].span[1] : scan.words[index].span[0]]
        if between.strip(" .&+") and between != ": ":
            break
        if scan.gap[index - 1] == STOP or (":" in between):
            break
        text = scan.words[index].text
        if (text[0].isupper() and scan.low[index] not in _NO_NAMES and scan.low[index] not in MONTHS_AND_DAYS) or (
            text[0].isdigit() and len(text) < 5 and not is_ordinal(text)
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
    if scan.low[index] == "for" and (index < 2 or not scan.words[index - 2].text[0].isupper() or scan.gap[index - 2]):
        return index
    if ahead in (index, len(scan)) or scan.taken[ahead]:
        return index
    if scan.low[index] == "of" and scan.words[index - 1].text.isupper() and len(scan.words[index - 1].text) > 1:
        return index
    text = scan.words[ahead].text
    return ahead if text[0].isupper() and scan.low[ahead] not in _NO_NAMES else index


def _name(scan: Scan, first: int, last: int) -> ValueMention | None:
    if _is_label(scan, first, last) or _is_hyphenated(scan, first, last):
        return None
    span = scan.span(first, last)
    text = scan.text[slice(*span)].replace("’", "'")
    if text.endswith("'s"):
        text = text[:-2]
        span = (span[0], span[1] - 2)
    certain = is_certain(scan, first, last, text)
    if certain or scan.low[last] in NATIONALITIES:
        # What may be a column's title stays readable as one.
        for index in range(first, last + 1):
            scan.taken[index] = 1
    return ValueMention(text, span, first, last, quoted=False, certain=certain)


def _is_label(scan: Scan, first: int, last: int) -> bool:
    """ "City 'Aberdeen'", "Country = 'SVK'": the name of what the quoted value is of."""
    if last + 1 >= len(scan) or not scan.taken[last + 1] or scan.gap[last] == STOP:
        return False
    between = scan.text[scan.words[last].span[1] : scan.words[last + 1].span[0]]
    return between.strip(" =:") in ("'", '"', "“", "‘", "``", "`") and first == last


def _is_hyphenated(scan: Scan, first: int, last: int) -> bool:
    """ "T-shirt", "C-reactive": a capital that only stands before a hyphen."""
    return (
        last > first
        and all(word.text.islower() for word in scan.words[first + 1 : last + 1])
        and (scan.text[scan.words[first].span[1]] == "-")
    )
