"""An Assessment as sections of marked lines and marked texts, before anybody decides how they look."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from stef.findings.registry import FAULT
from stef.records.alignment import (
    Alignment,
    DimensionAligned,
    Enrichment,
    EnrichmentVerdict,
    ExtraFilter,
    FilterState,
    Origin,
    RequiredFilter,
)
from stef.records.assessment import Assessment, Scored, Unscored
from stef.records.expressions import Span
from stef.records.judgement import Judgement
from stef.records.reasons import UnscoredKind
from stef.report.text import one_line, whole


class Mark(StrEnum):
    """What a mark says; it can be read without colour."""

    MATCHED = "✓"
    MISSING = "✗"
    ALTERED = "≠"
    EXTRA = "+"
    EXCUSED = "~"
    UNDECIDED = "?"
    PLAIN = "·"


LEGEND = "✓ matched  ✗ missing  ≠ altered  + extra  ~ excused  ? undecided"

_STATES = {
    FilterState.APPLIED: Mark.MATCHED,
    FilterState.ALTERED: Mark.ALTERED,
    FilterState.OPPOSED: Mark.MISSING,
    FilterState.ABSENT: Mark.MISSING,
    FilterState.UNDECIDED: Mark.UNDECIDED,
}
_ORIGINS = {
    Origin.QUESTION: "asked in the question",
    Origin.ENRICHED: "asked in the enriched question",
    Origin.RULE: "mandatory by rule",
}
_WHOSE = {
    UnscoredKind.AGENT: "the agent's SQL",
    UnscoredKind.BEHAVIOUR: "the agent's behaviour",
    UnscoredKind.STEF: "stef itself, not the agent",
}
# Where stretches of a text overlap, the graver mark wins.
_GRAVITY = (Mark.MISSING, Mark.ALTERED, Mark.EXTRA, Mark.UNDECIDED, Mark.EXCUSED, Mark.MATCHED)


@dataclass(frozen=True, slots=True)
class Line:
    """One fact: its mark, what it is about, and what is to be said of it."""

    mark: Mark
    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a title."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of a text, with the mark of what it stands for, or None."""

    text: str
    mark: Mark | None = None


def headline(assessment: Assessment) -> str:
    """The score and its band, or why there is none."""
    outcome = assessment.outcome
    if isinstance(outcome, Unscored):
        return f"Unscored: {_words(outcome.reason.value)} ({_WHOSE[outcome.kind]}): {outcome.detail}"
    return f"Score {whole(outcome.score)} ({outcome.band.value})"


def arithmetic(outcome: Scored) -> str:
    """How the score came about: (F 4 + V 5 + L 1) / 10 × 100 × Γ 0.8 = 80."""
    parts = f"F {whole(outcome.filter_score)} + V {whole(outcome.verdict_score)} + L {whole(outcome.laxity)}"
    total = outcome.filter_score + outcome.verdict_score + outcome.laxity
    base = f"({parts})" if total == outcome.base else f"min({whole(outcome.base)}, {parts})"
    return f"{base} / 10 × 100 × Γ {whole(outcome.multiplier)} = {whole(outcome.score)}"


def sections(assessment: Assessment) -> list[Section]:
    """Everything that is to be said of the turn; empty sections are left out."""
    found = [
        Section("Score", tuple(_score_lines(assessment))),
        Section("Filters", tuple(_filter_lines(assessment.alignment))),
        *_dimensions(assessment.alignment),
        Section("Enriched question against the question", tuple(_enrichment_lines(assessment.enrichment))),
        Section("Findings", tuple(_finding_lines(assessment))),
        Section("The judge's reasons", _plain(assessment.judgement.reasons if assessment.judgement else ())),
        Section("Asked, as read from the question", _plain(assessment.asked)),
        Section("Done, as read from the SQL", _plain(assessment.done)),
        Section("Notes on the SQL", tuple(Line(Mark.PLAIN, _words(n.code), n.text) for n in assessment.notes)),
    ]
    return [section for section in found if section.lines]


def _plain(texts: Iterable[str]) -> tuple[Line, ...]:
    return tuple(Line(Mark.PLAIN, text) for text in texts)


def _score_lines(assessment: Assessment) -> Iterator[Line]:
    outcome, judgement, alignment = assessment.outcome, assessment.judgement, assessment.alignment
    if isinstance(outcome, Scored):
        if alignment is not None:
            words = _words(alignment.filters.alignment.value)
            yield Line(Mark.PLAIN, f"F {whole(outcome.filter_score)}", f"filters: {words}")
        if judgement is not None:
            words = f"verdict: {_words(judgement.verdict.value)}, says {judgement.judge}"
            yield Line(Mark.PLAIN, f"V {whole(outcome.verdict_score)}", words)
        if outcome.laxity:
            yield Line(Mark.PLAIN, f"L {whole(outcome.laxity)}", "every extra filter is benign")
    if judgement is not None:
        gamma = f"Γ {whole(outcome.multiplier)}" if isinstance(outcome, Scored) else "γ"
        yield Line(Mark.PLAIN, gamma, f"confidence {judgement.confidence:.2f}{_from(judgement)}")
        yield Line(Mark.PLAIN, "p", f"probability of being right, {_whose_probability(judgement)}")
        yield from _model_lines(judgement)
    if isinstance(outcome, Unscored) and outcome.reply:
        yield Line(Mark.PLAIN, "reply", outcome.reply)


def _whose_probability(judgement: Judgement) -> str:
    if judgement.uncalibrated is None:
        return f"as the judge has it: {judgement.p_correct:.2f}"
    said, by = judgement.uncalibrated.p_correct, judgement.uncalibrated.calibration
    return f"calibrated: {judgement.p_correct:.2f} (the judge itself says {said:.2f}; calibration {by})"


_SOURCES = {"logprob": ", by log-probability", "samples": ", by agreement of samples", "stated": ", as stated"}


def _from(judgement: Judgement) -> str:
    return _SOURCES.get(judgement.confidence_from or "", "")


def _model_lines(judgement: Judgement) -> Iterator[Line]:
    """How a model was asked, and what the evidence says beside it."""
    if judgement.samples:
        said = ", ".join(f"{_words(one.verdict.value)} {one.p_correct:.2f}" for one in judgement.samples)
        spread = f", spread {judgement.spread:.2f}" if judgement.spread is not None else ""
        yield Line(Mark.PLAIN, f"{len(judgement.samples)} samples{spread}", said)
    if judgement.refuted is not None:
        mark = Mark.MISSING if judgement.refuted else Mark.MATCHED
        found = judgement.refutation or "a second question brought no concrete reason against the verdict"
        yield Line(mark, "refuted" if judgement.refuted else "not refuted", found)
    if judgement.evidence_disagrees:
        told = f"by the symbolic evidence alone the probability is {judgement.symbolic_p:.2f}"
        yield Line(Mark.ALTERED, "evidence and model disagree", told)
    usage = judgement.usage
    if usage is not None:
        cost = "cost unknown" if usage.cost is None else f"${usage.cost:.4f}"
        waited = "" if usage.latency_s is None else f", {usage.latency_s:.1f} s"
        yield Line(Mark.PLAIN, "asked", f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens, {cost}{waited}")


def _filter_lines(alignment: Alignment | None) -> Iterator[Line]:
    if alignment is None:
        return
    for required in alignment.filters.required:
        yield Line(_STATES[required.state], required.text, _said_of_required(required))
    for extra in alignment.filters.extras:
        yield Line(Mark.EXCUSED if extra.benign else Mark.EXTRA, extra.text, _said_of_extra(extra))
    if not alignment.filters.required and not alignment.filters.extras:
        yield Line(Mark.MATCHED, "none asked, none applied")


def _said_of_required(required: RequiredFilter) -> str:
    critical = "critical, " if required.critical else ""
    said = f"{critical}{_ORIGINS[required.origin]}, {required.state.value}"
    if required.applied_by and required.applied_by != required.text:
        said += f" by {required.applied_by}"
    return f"{said}: {required.why}" if required.why else said


def _said_of_extra(extra: ExtraFilter) -> str:
    said = f"extra, benign by {extra.benign_by}" if extra.benign else "extra: nobody asked for it"
    return f"{said}: {extra.why}" if extra.why else said


def _dimensions(alignment: Alignment | None) -> list[Section]:
    dimensions = () if alignment is None else alignment.dimensions
    return [Section(_words(one.dimension.value).capitalize(), tuple(_dimension_lines(one))) for one in dimensions]


def _dimension_lines(aligned: DimensionAligned) -> Iterator[Line]:
    for matched in aligned.matched:
        by = f"by {matched.done}" if matched.done != matched.asked else ""
        surely = f"strength {matched.strength:.2f}" if matched.strength < 1 else ""
        yield Line(Mark.MATCHED, matched.asked, ", ".join(filter(None, (by, surely))))
    for missing in aligned.missing:
        yield Line(Mark.MISSING, missing.text, _after("missing", missing.why))
    for extra in aligned.extra:
        yield Line(Mark.EXTRA, extra.text, _after("extra", extra.why))
    for excused in aligned.excused:
        yield Line(Mark.EXCUSED, excused.text, _after(f"excused by {_words(excused.rule)}", excused.why))


def _after(said: str, why: str) -> str:
    return f"{said}: {why}" if why else said


def _enrichment_lines(enrichment: Enrichment | None) -> Iterator[Line]:
    if enrichment is None or enrichment.verdict is EnrichmentVerdict.ABSENT:
        return
    mark = Mark.MATCHED if enrichment.verdict is EnrichmentVerdict.FAITHFUL else Mark.ALTERED
    yield Line(mark, enrichment.verdict.value)
    for texts, sign, said in (
        (enrichment.dropped, Mark.MISSING, "asked, and dropped"),
        (enrichment.contradicted, Mark.MISSING, "contradicts the question"),
        (enrichment.added, Mark.EXTRA, "added: the question does not ask for it"),
        (enrichment.resolved, Mark.EXCUSED, "settles what the question leaves open"),
    ):
        for text in texts:
            yield Line(sign, text, said)


def _finding_lines(assessment: Assessment) -> Iterator[Line]:
    for finding in assessment.findings:
        rests_on = (
            ("words", _piece(assessment.question, finding.question_span)),
            ("SQL", _piece(assessment.sql, finding.sql_span)),
        )
        said = [finding.detail, *(f"{name}: {one_line(text, 80)}" for name, text in rests_on if text)]
        mark = Mark.ALTERED if finding.code != FAULT else Mark.UNDECIDED
        yield Line(mark, f"{finding.code} {finding.title}", " · ".join(filter(None, said)))


def _piece(text: str, span: Span | None) -> str:
    """The piece of a text that a span covers; empty where it does not fit."""
    return text[span[0] : span[1]] if span and 0 <= span[0] < span[1] <= len(text) else ""


def marked_question(assessment: Assessment) -> list[Stretch]:
    """The question, cut where marks begin and end."""
    found = [(finding.question_span, Mark.ALTERED) for finding in assessment.findings]
    return _cut(assessment.question, [*found, *_question_spans(assessment.alignment, enriched=False)])


def marked_enriched(assessment: Assessment) -> list[Stretch]:
    """The enriched question, cut where marks begin and end; empty without one."""
    return _cut(assessment.enriched_question or "", _question_spans(assessment.alignment, enriched=True))


def marked_sql(assessment: Assessment) -> list[Stretch]:
    """The cleaned SQL, cut where marks begin and end."""
    return _cut(assessment.sql, _sql_spans(assessment))


def _question_spans(alignment: Alignment | None, *, enriched: bool) -> Iterator[tuple[Span | None, Mark]]:
    if alignment is None:
        return
    for required in alignment.filters.required:
        if (required.origin is Origin.ENRICHED) == enriched and required.origin is not Origin.RULE:
            yield required.question_span, _STATES[required.state]
    if enriched:
        return
    for aligned in alignment.dimensions:
        yield from ((matched.question_span, Mark.MATCHED) for matched in aligned.matched)
        yield from ((missing.span, Mark.MISSING) for missing in aligned.missing)


def _sql_spans(assessment: Assessment) -> Iterator[tuple[Span | None, Mark]]:
    for finding in assessment.findings:
        yield finding.sql_span, Mark.ALTERED
    alignment = assessment.alignment
    if alignment is None:
        return
    for required in alignment.filters.required:
        yield required.sql_span, _STATES[required.state]
    for extra in alignment.filters.extras:
        yield extra.sql_span, Mark.EXCUSED if extra.benign else Mark.EXTRA
    for aligned in alignment.dimensions:
        yield from ((matched.sql_span, Mark.MATCHED) for matched in aligned.matched)
        yield from ((one.span, Mark.EXTRA) for one in aligned.extra)
        yield from ((excused.span, Mark.EXCUSED) for excused in aligned.excused)


def _cut(text: str, spans: Iterable[tuple[Span | None, Mark]]) -> list[Stretch]:
    """`text` in stretches. A span that does not fit the text, or overlaps a graver one, is left out."""
    fitting = [(span, mark) for span, mark in spans if span and 0 <= span[0] < span[1] <= len(text)]
    fitting.sort(key=lambda one: (_GRAVITY.index(one[1]), one[0][1] - one[0][0], one[0]))
    taken: list[tuple[Span, Mark]] = []
    for span, mark in fitting:
        if all(span[1] <= other[0] or span[0] >= other[1] for other, _ in taken):
            taken.append((span, mark))
    stretches, position = [], 0
    for (start, end), mark in sorted(taken):
        stretches += [Stretch(text[position:start]), Stretch(text[start:end], mark)]
        position = end
    return [stretch for stretch in [*stretches, Stretch(text[position:])] if stretch.text]


def _words(code: str) -> str:
    return code.replace("_", " ")
