"""What a rule reads of a turn: both sides, their alignment, and what several rules would otherwise work out again."""

from stef.alignment.facts import Facts
from stef.alignment.ground import Ground
from stef.alignment.sides import Sides
from stef.findings.literals import unexcused, ungrounded
from stef.findings.shapes import joined_pairs, queried_pairs
from stef.findings.there import what_is_there
from stef.records.alignment import Alignment, Dimension, DimensionAligned, Enrichment
from stef.records.expressions import Column, Literal, Span
from stef.records.predicates import Predicate
from stef.records.reading import Note, QuestionReading
from stef.records.record import record


@record(frozen=True, slots=True)
class Context:
    """One turn, read and aligned.

    `asked_codes`: the codes of all notes on question and enriched question; `sql_notes`: those on the SQL, by code;
    `dimensions`: the alignment's, by name. `tests`: the predicates of the filters, with their places, but those that
    the application's rules allow or demand; `ungrounded`: the constants in them that nothing in the turn mentions.
    `joined`, `queried`: the pairs of columns, each of one known source, that a join or an IN (SELECT …) sets equal.
    `there`: what a rule may name as its NEEDS: the codes of all notes, and the names in `what_is_there`.
    """

    sides: Sides
    alignment: Alignment
    enrichment: Enrichment
    asked_codes: frozenset[str]
    sql_notes: dict[str, tuple[Note, ...]]
    dimensions: dict[Dimension, DimensionAligned]
    tests: tuple[tuple[Predicate, Span | None], ...]
    ungrounded: tuple[tuple[Literal, Span | None], ...]
    joined: tuple[tuple[Column, Column], ...]
    queried: tuple[tuple[Column, Column], ...]
    there: frozenset[str]

    @property
    def done(self) -> Facts:
        """What the SQL does, flat."""
        return self.sides.done

    @property
    def ground(self) -> Ground:
        """What the words of question and enriched question mention."""
        return self.sides.ground

    @property
    def question(self) -> QuestionReading:
        """The user's question as read."""
        return self.sides.question

    @property
    def sql(self) -> str:
        """The cleaned SQL, to which spans refer."""
        return self.sides.sql.text

    def noted(self, code: str) -> tuple[Note, ...]:
        """The notes on the SQL with this code, in the order of the text."""
        return self.sql_notes.get(code, ())

    def asked_span(self, code: str) -> Span | None:
        """Where the user's question (not the enriched one) says what this note's code stands for."""
        return next((note.span for note in self.sides.question.notes if note.code == code), None)


def context_of(sides: Sides, alignment: Alignment, enrichment: Enrichment) -> Context:
    """The Context of one aligned turn."""
    codes = [note.code for note in sides.question.notes]
    if sides.enriched is not None:
        codes += [note.code for note in sides.enriched.notes]
    notes: dict[str, tuple[Note, ...]] = {}
    for note in sides.sql.notes:
        notes[note.code] = (*notes.get(note.code, ()), note)
    dimensions = {one.dimension: one for one in alignment.dimensions}
    tests = tuple(unexcused(sides.done, alignment.filters))
    bare = tuple(ungrounded(tests, sides.ground))
    blocks = sides.done.blocks
    joined = tuple(joined_pairs(blocks)) if len(sides.done.tables) > 1 else ()
    queried = tuple(queried_pairs(blocks)) if sides.done.subqueries else ()
    pairs = {"joined": joined, "queried": queried, "ungrounded": bare}
    there = frozenset((*codes, *notes, *what_is_there(sides, pairs)))
    return Context(
        sides,
        alignment,
        enrichment,
        frozenset(codes),
        notes,
        dimensions,
        tests,
        bare,
        joined,
        queried,
        there,
    )
