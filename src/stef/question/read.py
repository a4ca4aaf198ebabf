"""The rule reader: a question in English to a Reading, with no model and no schema."""

import re
from collections.abc import Hashable
from datetime import datetime
from functools import lru_cache
from typing import cast

from stef.question import aggregates, grouping, intents, ordering, projections, superlatives
from stef.question.aggregates import Reader
from stef.question.constants import read_constants
from stef.question.followups import is_follow_up, joined
from stef.question.grammar import ASK_VERBS, SUPERLATIVES
from stef.question.hints import Hints, read_hints, split_hints
from stef.question.language import foreign_language, has_words
from stef.question.periods import Calendar
from stef.question.scan import Draft, scan_text
from stef.question.settle import settle
from stef.question.setwords import combine, intersected
from stef.records.reading import Note, QuestionReading, Unreadable
from stef.records.reasons import UnscoredReason
from stef.records.spec import Select

# Control characters, and marks that turn or hide text; a line break and a tab stay.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")

MAX_CHARACTERS = 20_000
"""A question is read up to here; what follows is cut, with the note `question_cut`."""


def _table() -> dict[str, tuple[Reader, ...]]:
    """Which readers a word triggers. Order within a word is the order of reading."""
    readers: dict[str, list[Reader]] = {}

    def on(words: str, reader: Reader) -> None:
        for word in words.split():
            readers.setdefault(word, []).append(reader)

    on("how", aggregates.read_how)
    on("number numbers no", aggregates.read_number_of)
    on("count counts", aggregates.read_count)
    on("total sum", aggregates.read_total)
    on("average mean avg averages", aggregates.read_average)
    on("top bottom first last best", superlatives.read_top)
    on("first last", superlatives.read_first_to)
    on("sorted ordered sort order arranged arrange rank ranked sorting ordering", ordering.read_sorted)
    on("descending decreasing desc ascending increasing asc reverse reversed", ordering.read_direction)
    on("alphabetical alphabetic lexicographic lexicographical alphabetically", ordering.read_alphabet)
    on("chronological chronologically", ordering.read_chronological)
    on("to first", ordering.read_from_to)
    on(" ".join(SUPERLATIVES), superlatives.read_superlative)
    on("most least fewest", superlatives.read_graded)
    on("each every", grouping.read_each)
    on("per", grouping.read_per)
    on("by", grouping.read_by)
    on("is are was were do does did has have had can could", intents.read_opening)
    on("percentage percent percentages", intents.read_percentage)
    on("ratio proportion fraction portion", intents.read_ratio)
    on("difference deviation gap", intents.read_difference)
    on("not no without never except excluding neither nor none lacking cannot can't won't", intents.read_negation)
    on("don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't", intents.read_negation)
    on("than", intents.read_than)
    on("different distinct unique", intents.read_distinct)
    on("both", intents.read_both)
    on("either", intents.read_either)
    on("format formatted", intents.read_format)
    on("decimal decimals rounded round", intents.read_rounding)
    on("compared versus vs", intents.read_compared)
    on("days years months hours minutes weeks", intents.read_duration)
    on("who who's when where", intents.read_wh)
    on("what what's which", projections.read_what)
    on(" ".join(ASK_VERBS), projections.read_ask)
    return {word: tuple(found) for word, found in readers.items()}


_READERS = _table()


def read_question(
    text: str,
    *,
    now: datetime | None = None,
    calendar: Calendar | None = None,
    history: tuple[str, ...] = (),
) -> QuestionReading:
    """What `text` asks for, read by rules.

    `now` is the clock for relative periods, `calendar` the application's, `history` the earlier questions of the
    session: a follow-up ("and in 2023?") is read together with the last of them. A text that is not English, or has no
    words, comes back with `unreadable` set. Never raises; the same arguments give the same Reading.
    """
    try:
        return _read(text, now, cast("Hashable", calendar), tuple(history[-3:]))
    except TypeError:
        # An application's own calendar may not be hashable: then nothing is remembered.
        return _read.__wrapped__(text, now, calendar, tuple(history[-3:]))


@lru_cache(maxsize=4096)
def _read(text: str, now: datetime | None, calendar: Hashable, history: tuple[str, ...]) -> QuestionReading:
    cleaned = clean(text)
    unreadable = _why_unreadable(cleaned)
    if unreadable is not None:
        return QuestionReading(cleaned, unreadable=unreadable)
    question, hint_spans = split_hints(cleaned)
    scan = scan_text(question)
    draft = Draft(scan)
    if len(text) > MAX_CHARACTERS:
        draft.notes.append(Note("question_cut"))
    read_constants(draft, now, cast("Calendar | None", calendar))
    walk(draft)
    combine(draft)
    asked = frozenset(word.stem for word in scan.words)
    hints = read_hints(cleaned, hint_spans, asked) if hint_spans else Hints()
    reading = _reading(cleaned, draft, hints)
    if history and is_follow_up(scan):
        earlier = _read(history[-1], now, calendar, history[:-1])
        if earlier.unreadable is None:
            return joined(reading, earlier)
    return reading


def clean(text: str) -> str:
    """`text` without control characters, cut at `MAX_CHARACTERS`; places are kept."""
    cut = text[:MAX_CHARACTERS]
    return cut if cut.isprintable() else _CONTROL.sub(" ", cut)


def _why_unreadable(text: str) -> Unreadable | None:
    if not has_words(text):
        return Unreadable(UnscoredReason.QUESTION_NOT_READABLE, "the question holds no words")
    language = foreign_language(text)
    if language is None:
        return None
    detail = f"the question is not English (looks like {language})"
    return Unreadable(UnscoredReason.QUESTION_NOT_READABLE, detail)


def walk(draft: Draft) -> None:
    """One pass over the words; each that triggers readers calls them."""
    scan = draft.scan
    taken = scan.taken
    for index, word in enumerate(scan.low):
        if taken[index]:
            continue
        readers = _READERS.get(word)
        if readers is not None:
            for reader in readers:
                reader(draft, index)


def _reading(text: str, draft: Draft, hints: Hints) -> QuestionReading:
    settle(draft)
    select = Select(
        projections=tuple(draft.projections),
        distinct=draft.distinct,
        filters=tuple(draft.filters),
        group_by=tuple(draft.group_by),
        order=tuple(draft.order),
        limit=draft.limit,
        offset=draft.offset,
        tops=tuple(draft.tops),
    )
    return QuestionReading(
        text,
        spec=intersected(draft, select),
        notes=tuple(draft.notes),
        words=draft.scan.words,
        mentions=(*draft.mentions, *hints.mentions),
        ties=hints.ties,
        formulas=hints.formulas,
    )
