"""Whether a name in capitals is a value for sure, or may be a title, a column or an abbreviation."""

import re

from stef.question.grammar import ASK_VERBS, AUXILIARIES, DETERMINERS, NATIONALITIES, SUPERLATIVES, VERBS
from stef.question.scan import NONE, Scan
from stef.question.wordlists import word_set

_CODE = re.compile(r"(?=\w*\d)(?=\w*[A-Za-z])\w+")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|k|m|am|pm|cm|kg|mb|gb|d|h|min)$", re.IGNORECASE)
_PLACERS = word_set(
    "in from at by to named called titled near within of using speak speaks speaking use uses with like vs versus "
    "between for into model brand made via through on about"
)


def is_ordinal(text: str) -> bool:
    """Whether digits carry an ordinal's ending or a unit ("3rd", "90s", "5kg")."""
    return _ORDINAL.fullmatch(text) is not None


def is_code(text: str) -> bool:
    """Whether a word mixes letters and digits ("TR041"), and is no "3rd" or "5kg"."""
    return _CODE.fullmatch(text) is not None and not is_ordinal(text)


def bare(low: str) -> str:
    """A folded word without its possessive."""
    return low[:-2] if low.endswith("'s") else low.rstrip("'")


def is_certain(scan: Scan, first: int, last: int, text: str) -> bool:
    """Whether capitals mark a value for sure; a title of a column or an adjective before a noun may be none."""
    start, end = scan.span(first, last)
    if looks_like_column(scan, last) or (scan.text[start - 1 : start] == "(" and scan.text[end : end + 1] == ")"):
        # "Enrolment (K-12)", "anti-cardiolipin (IgG)".
        return False
    followed = last + 1 < len(scan) and not scan.gap[last] and not scan.words[last + 1].stop
    followed = followed and not scan.taken[last + 1]
    if bare(text.lower()) in NATIONALITIES:
        return not followed
    if any(is_code(word.text) for word in scan.words[first : last + 1]):
        return True
    if "_" in text:
        return False
    if last > first:
        return scan.at(last + 1) != "of" or scan.gap[last] != NONE or not _asked_for(scan, first)
    if scan.low[first].endswith(("'s", "s'")):
        return True
    return _single_is_certain(scan, first, last, followed=followed)


def _single_is_certain(scan: Scan, first: int, last: int, *, followed: bool) -> bool:
    """One word in capitals: a value where a preposition, a noun or a verb of its own places it."""
    before = scan.at(first - 1)
    if before == "the" and first > 1:
        # "from the USA", "in the Netherlands".
        before = scan.at(first - 2) if scan.at(first - 2) in ("in", "from", "within", "to") else before
    if before == "by" and not scan.at(first - 2).endswith(("ed", "en", "wn")):
        # "sales by Region": what is grouped by.
        before = ""
    attached = first > 0 and not scan.gap[first - 1]
    apposed = attached and not scan.words[first - 1].stop and not _is_leading(before) and not before[:1].isdigit()
    apposed = apposed and not before.endswith(("'s", "s'"))
    text = scan.words[first].text
    if text.isupper() and 1 < len(text) < 6:
        return apposed or (before in _PLACERS and not followed and scan.at(last + 1) not in _COMPARING)
    if before in _PLACERS or apposed:
        return not followed or apposed
    # "How many likes does Kyle have": a name that does something.
    return before in AUXILIARIES and (not followed or scan.at(last + 1) in VERBS)


_COMPARING = word_set("above below over under between is greater less more higher lower than at equal")


def _is_leading(word: str) -> bool:
    """Whether a content word before a capital is a verb or an adjective that governs it, and no noun it stands by."""
    return (
        word in VERBS or word in ASK_VERBS or word in SUPERLATIVES or word in _MEASURES or word.endswith("ly")
        or (word.endswith("ed") and word not in ("named", "called", "titled"))
    )  # fmt: skip


_MEASURES = word_set("average mean total maximum minimum max min sum number first last different distinct top")


def _asked_for(scan: Scan, first: int) -> bool:
    """ "What is the *Package Option* of": capitals on what is asked for."""
    at = first - 1
    while at >= 0 and scan.low[at] in DETERMINERS:
        at -= 1
    return at < 0 or scan.low[at] in AUXILIARIES or scan.low[at] in ASK_VERBS or scan.low[at] in ("and", "what's")


_COLUMN_HEADS = word_set(
    "id ids code codes number numbers name names score scores rate rates level levels count counts date type types "
    "rating ratings status value values percentage amount time channel channels series"
)


def looks_like_column(scan: Scan, last: int) -> bool:
    """ "Free Meal Count", "SAT scores", "TV Channel": capitals on the name of a column."""
    if scan.low[last] in _COLUMN_HEADS:
        return True
    after = scan.at(last + 1) if not scan.gap[last] else ""
    return after in _COLUMN_HEADS and scan.words[last].text.isupper()
