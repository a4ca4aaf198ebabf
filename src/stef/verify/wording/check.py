"""An answer in words against the rows that it speaks of. Deterministic; no model is asked."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from stef.question.number_words import TIMES
from stef.records.turn import Turn
from stef.verify.wording.claims import MOST_CHARACTERS, Claims, Dated, Stated, claims_of
from stef.verify.wording.names import name_claim
from stef.verify.wording.records import Claim, ClaimKind, Ground, Wording
from stef.verify.wording.said import Said
from stef.verify.wording.steps import STEPS, STEPS_OF_TIMES, cell
from stef.verify.wording.table import Table
from stef.verify.wording.view import View

MOST_CLAIMS = 300
"""Of each kind: a list of thousands of numbers must not take minutes."""


def check_wording(turn: Turn, table: Table) -> Wording:
    """Every number, date and name of the turn's answer, and what of the rows or of the question it rests on."""
    claims = claims_of(turn.answer or "", turn.timestamp)
    said = Said(turn, table)
    found = [
        *(_number(one, said) for one in claims.numbers[:MOST_CLAIMS]),
        *(_date(one, said) for one in claims.dates[:MOST_CLAIMS]),
        *(name_claim(one, said) for one in claims.names[:MOST_CLAIMS]),
    ]
    return Wording(tuple(sorted(found, key=lambda claim: claim.span)), why="; ".join(_limits(turn, table, claims)))


def _limits(turn: Turn, table: Table, claims: Claims) -> Iterator[str]:
    """What was not looked at."""
    if table.cut:
        yield "the rows were cut: what is not found may stand further down"
    if max(map(len, (claims.numbers, claims.dates, claims.names))) > MOST_CLAIMS:
        yield f"only the first {MOST_CLAIMS} numbers, dates and names were looked at"
    if len(turn.answer or "") > MOST_CHARACTERS:
        yield f"only the first {MOST_CHARACTERS:,} characters were looked at"


def _number(claim: Stated, said: Said) -> Claim:
    view = View(said.table, claim)
    if (how := cell(view)) is not None:
        return _claim(claim, Ground.ROWS, how)
    if any(one.value == claim.value and one.percent == claim.percent for one in said.asked.numbers):
        return _claim(claim, Ground.QUESTION, "asked")
    if claim.exact and not claim.percent and claim.value in said.in_query:
        return _claim(claim, Ground.QUERY, "in the query")
    for step in STEPS_OF_TIMES if claim.text.casefold() in TIMES else STEPS:
        if (how := step(view)) is not None:
            return _claim(claim, Ground.DERIVED, how)
    return _claim(claim, Ground.NOTHING, "")


def _claim(claim: Stated, ground: Ground, how: str) -> Claim:
    return Claim(ClaimKind.NUMBER, claim.text, claim.span, ground, how)


def _date(claim: Dated, said: Said) -> Claim:
    table, asked = said.table, said.asked
    ground, how = Ground.NOTHING, ""
    moments = [moment for _, moment in table.dates]
    if any(claim.low <= moment < claim.high for moment in moments):
        ground, how = Ground.ROWS, "a date"
    elif _ends_stand(claim, moments):
        ground, how = Ground.ROWS, "from the one date to the other"
    elif claim.grain == "year" and _holds(table, claim.low.year):
        ground, how = Ground.ROWS, "a year"
    elif _asked(claim, asked):
        ground, how = Ground.QUESTION, "asked"
    return Claim(ClaimKind.DATE, claim.text, claim.span, ground, how)


def _asked(claim: Dated, asked: Claims) -> bool:
    if any(one.low <= claim.low and claim.high <= one.high for one in asked.dates):
        return True
    return claim.grain == "year" and any(one.value == claim.low.year for one in asked.numbers)


def _ends_stand(claim: Dated, moments: list[datetime]) -> bool:
    days = {moment.date() for moment in moments}
    return claim.low.date() in days and (claim.high - timedelta(microseconds=1)).date() in days


def _holds(table: Table, year: int) -> bool:
    return float(year) in table.numbers_in_texts or any(
        number == year for numbers in table.numbers for _, number in numbers
    )
