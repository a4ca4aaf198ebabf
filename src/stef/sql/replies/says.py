"""What a text says where an answer should stand: it declines, asks back, makes small talk, or states something."""

import re
from collections.abc import Iterable
from enum import StrEnum

from stef.sql.replies import asking, languages
from stef.sql.replies.declining import APOLOGY, BROKE, TERSE

_LONGEST = 2_000


class Says(StrEnum):
    """What a text says."""

    NOTHING = "nothing"
    DECLINES = "declines"
    ASKS = "asks"
    SMALL_TALK = "small_talk"
    BROKE = "broke"  # an error's text in place of an answer
    STATES = "states"


_SMALL_TALK = re.compile(
    r"""\A\W*(?:(?:oh|ok(?:ay)?|alright|sure|great|well|yes|no|perfect|awesome|cool|wonderful|excellent
    |good)\b[\s,.!:;-]*)*
    (?:
        (?:thank\ you|thanks|thx|you\ too|you'?\ ?(?:are|re)?\ (?:very\ |most\ )?welcome|your\ welcome|welcome
        |my\ pleasure|no\ (?:problem|worries)|not\ a\ problem
        |(?:good\ ?)?bye|see\ you|take\ care|cheers|hello|hi|hey|greetings|good\ (?:morning|afternoon|evening|day
        |luck)
        |(?:have|enjoy)\ (?:a|your)\ (?:nice|great|good|lovely|wonderful)?|glad\ (?:to|i|that|you)|happy\ to\ help
        |i'?m\ (?:glad|happy)
        |(?:how|what)\ (?:else\ )?(?:can|may|could)\ i\ (?:help|assist|do)|is\ there\ anything|anything\ (?:else|more)
        |do\ you\ (?:have|need|want)\ (?:to\ know\ )?(?:(?:any|some)\ )?(?:other|more|further|any|else
        |anything)\b(?!\ (?:information|details?|context))|any\ (?:other|more|further)\ question
        |can\ i\ help|may\ i\ help|let\ me\ know\ if|feel\ free|just\ let\ me\ know|i\ am\ (?:glad|happy)
        |that'?s\ (?:great|good)
        |gern(?:e)?\ geschehen|bitte\ (?:schön|sehr)|danke|auf\ wiedersehen|tschüss|guten\ tag|hallo
        |de\ rien|je\ vous\ en\ prie|merci|au\ revoir|bonjour|de\ nada|gracias|adiós|hola|obrigad[oa]|prego|grazie
        |arrivederci|ciao|graag\ gedaan|bedankt|dank
        |不客气|不客氣|谢谢|謝謝|再见|再見|你好|您好|どういたしまして|ありがとう|こんにちは|천만에요|감사합니다|안녕
        )\b[^\d]{0,160}
      | (?:great|perfect|awesome|cool|ok(?:ay)?|sure|alright|noted|understood|got\ it)?\W*
    )\Z""",
    re.IGNORECASE | re.VERBOSE,
)
"""Courtesies: short, and without any figure."""

_REAL_QUESTION = re.compile(r"\b(?:which|whose|what (?!else|can|may|could|would you like))\b[^.!?]*\?", re.IGNORECASE)
_ON_THE_QUESTION = re.compile(
    r"\b(?:question|request)\b[^.]{0,40}\b(?:not|cannot|can't|isn't)\b|\bnot answerable\b", re.IGNORECASE
)
"""What even behind "Error:" is a refusal."""
_SPACES = re.compile(r"[^\S\n]+")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])[\s\"'”)]+|\n+")
_STATES_FIGURE = re.compile(r"\d")
_OFFERS = re.compile(
    r"""\b(?:would\ you\ like\ (?:me\ )?(?:to|a|an|the|more|details?)|shall\ i|should\ i\ also|do\ you\ want\ me\ to
    |let\ me\ know\ if\ you(?:'d\ like|\ want|\ need|\ would))\b""",
    re.IGNORECASE | re.VERBOSE,
)

_FEW_WORDS = 4
"""Words before an offer to do more, from which on they state something."""


def says(text: str, refusals: Iterable[str] = (), clarifications: Iterable[str] = ()) -> Says:
    """What `text`, which holds no query, says. The markers are an application's own phrases, wherever they stand.

    Of declining and asking back it says what it says first: "the schema has no such field; please clarify" declines,
    "do you mean A or B? There is no C" asks. A text that states a figure before it declines, or anything before it
    offers more, states something.
    """
    text = _SPACES.sub(" ", text[:_LONGEST]).replace("’", "'").strip()
    if not any(character.isalnum() for character in text) and "?" not in text:
        return Says.NOTHING
    folded = text.casefold()
    if any(marker.casefold() in folded for marker in refusals if marker.strip()):
        return Says.DECLINES
    if any(marker.casefold() in folded for marker in clarifications if marker.strip()):
        return Says.ASKS
    if BROKE.match(text) and not _ON_THE_QUESTION.search(text):
        return Says.BROKE
    if TERSE.search(text):
        return Says.DECLINES
    if _SMALL_TALK.match(text) and not _REAL_QUESTION.search(text):
        return Says.SMALL_TALK
    return _by_first(text)


def _by_first(text: str) -> Says:
    """By whichever comes first of what declines and what asks back."""
    declines, asks = _place(text, languages.declines()), _place(text, languages.asks())
    if asks is None and (asking.SHORT_QUESTION.match(text) or asking.EAST_ASIAN_QUESTION.search(text)):
        asks = 0
    if (lost := asking.NOT_UNDERSTOOD.search(text)) is not None:
        # Not to have understood asks back where a question follows, and declines where none does.
        if asks is not None or "?" in text[lost.end() :]:
            return Says.ASKS
        declines = min(lost.start(), declines if declines is not None else lost.start())
    first = min((place for place in (declines, asks) if place is not None), default=None)
    if first is None:
        return Says.DECLINES if APOLOGY.search(text) else Says.STATES
    offers = asks == first and _OFFERS.match(text, first) is not None
    if offers and len(text[:first].split()) >= _FEW_WORDS:
        return Says.STATES
    if asks == first != declines:
        return Says.ASKS
    return Says.STATES if _states_before(text, first) else Says.DECLINES


def _place(text: str, pattern: re.Pattern[str]) -> int | None:
    found = pattern.search(text)
    return None if found is None else found.start()


def _states_before(text: str, place: int) -> bool:
    """Whether a whole sentence with a figure, which is no question, stands before `place`."""
    start = 0
    for end in _SENTENCE_END.finditer(text, 0, place):
        sentence = text[start : end.start()]
        if _STATES_FIGURE.search(sentence) and not sentence.rstrip().endswith(("?", "？")):
            return True
        start = end.end()
    return False
