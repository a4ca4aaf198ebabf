"""Whether four digits on their own are a year: "in 2010", "the 2012 regatta", but not "more than 2000 seats"."""

from stef.question.period_relations import Related
from stef.question.period_types import Page, Point
from stef.question.period_years import counts

_DIGITS_CERTAIN = frozenset(
    {"in", "during", "since", "until", "till", "after", "before", "through", "thru", "throughout"}
)
_DIGITS_LIKELY = frozenset({"of", "for", "from", "by", "on", "within", "later", "or", "across", "every", "each"})
_NUMBER_BEFORE = frozenset(
    {
        "than",
        "over",
        "under",
        "least",
        "most",
        "exactly",
        "top",
        "above",
        "below",
        "about",
        "between",
        "to",
        "approximately",
    }
)
_CUES = frozenset(
    {"born", "founded", "built", "established", "released", "published", "opened", "made", "dated", "produced", "since"}
)
_UNTOLD = "untold"
_NO_PLURALS = frozenset({"onwards", "afterwards", "sales", "games", "olympics", "always"})


def is_year(page: Page, point: Point, related: Related, before: tuple[int, bool] | None) -> bool | None:
    """Whether four digits are surely a year (True), perhaps (False), or no year at all (None).

    `before`: the last word of the year that was named before it, and whether that one is certain.
    """
    if counts(page, point.last):
        return None
    previous = page.at(point.first - 1)
    if related.word == "more" or previous in _NUMBER_BEFORE - {"to", "than"}:
        return True if related.word == "more" and _year_before(page, related) else None
    year = int(page.low[point.first])
    told = _told(page, point, related, year)
    if not isinstance(told, str):
        return told
    plural = _plural_follows(page, point.last)
    if "between" in page.low[max(0, point.first - 3) : point.first]:
        return None
    listed = previous in {"and", "or", ""} or page.gap(point.first - 1) == ","
    if listed and before and before[0] >= point.first - 2:
        return before[1] and not plural
    return None if previous in _NUMBER_BEFORE or plural or not 1950 <= year <= 2050 else False


def _told(page: Page, point: Point, related: Related, year: int) -> bool | str | None:
    """As `is_year`, where the words right around the digits tell; `_UNTOLD` where they do not."""
    plural = _plural_follows(page, point.last)
    if page.at(point.first - 1) == "the" and 1900 <= year <= 2050 and not plural and _adjective(page, point.last):
        return True
    if year < 1600 and related.word not in _DIGITS_CERTAIN - {"after", "before", "through", "thru"}:
        return None
    if related.word == "" and page.at(point.first - 1 - (page.at(point.first - 1) == "either")) in _CUES:
        return True
    if related.word in _DIGITS_CERTAIN:
        return not plural
    if related.word in _DIGITS_LIKELY:
        return None if plural else 1900 <= year <= 2050
    return _UNTOLD


def _adjective(page: Page, index: int) -> bool:
    """Whether the number at `index` stands before a noun: "the 2012 regatta"."""
    return index + 1 < len(page.words) and not page.gap(index) and not page.words[index + 1].stop


def _year_before(page: Page, related: Related) -> bool:
    """Whether "year" stands shortly before the relation: "year greater than 2010"."""
    return not {"year", "years"}.isdisjoint(page.low[max(0, related.first - 3) : related.first])


def _plural_follows(page: Page, index: int) -> bool:
    """Whether the word right after `index` is a plural that the number may count."""
    form = page.at(index + 1)
    if page.gap(index) or not form or page.words[index + 1].stop:
        return False
    return (
        len(form) > 3
        and form not in _NO_PLURALS
        and form.endswith("s")
        and not form.endswith(("ss", "us", "is"))
        and page.words[index + 1].text.islower()
    )
