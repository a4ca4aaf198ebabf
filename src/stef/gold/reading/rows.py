"""What an overview reads of one turn, and the figures that are taken of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from stef.records.case import CaseKind
from stef.records.gold import CaseReport, Components, Output, Retrieval, Share


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One turn on a case. `phrasing` 0 is the case's own question, n its nth paraphrase; `sample` counts how
    often the same was asked before. Seconds None: not known.

    `control`: a question that must simply be answered. `has_sql`: the turn holds SQL; None: not known.
    """

    report: CaseReport
    agent: str | None = None
    agent_version: str | None = None
    phrasing: int = 0
    sample: int = 0
    database: str | None = None
    category: str | None = None
    difficulty: str | None = None
    tags: tuple[str, ...] = ()
    kind: CaseKind = CaseKind.ANSWERABLE
    control: bool = False
    has_sql: bool | None = None
    retrieval_seconds: float | None = None
    agent_seconds: float | None = None
    query_seconds: float | None = None


Figure: TypeAlias = Callable[[CaseReport], float | None]

_COMPONENTS = ("tables", "joins", "projections", "filters", "filters_without_values", "aggregations", "grouping")


def _of_output(take: Callable[[Output], float | bool | None]) -> Figure:
    return lambda report: _number(take(report.output)) if report.output is not None else None


def _of_components(take: Callable[[Components], float | bool | None]) -> Figure:
    return lambda report: _number(take(report.components)) if report.components is not None else None


def _of_retrieval(take: Callable[[CaseReport], Retrieval | None]) -> dict[str, Figure]:
    def share(report: CaseReport) -> Share | None:
        retrieval = take(report)
        return retrieval.tables if retrieval is not None else None

    def spurious(report: CaseReport) -> float | None:
        retrieval = take(report)
        return _number(retrieval.spurious) if retrieval is not None else None

    return {**_two(share), "spurious": spurious}


def _two(take: Callable[[CaseReport], Share | None]) -> dict[str, Figure]:
    def precision(report: CaseReport) -> float | None:
        share = take(report)
        return share.precision if share is not None else None

    def recall(report: CaseReport) -> float | None:
        share = take(report)
        return share.recall if share is not None else None

    return {"precision": precision, "recall": recall}


def _number(value: float | bool | None) -> float | None:
    return None if value is None else float(value)


def _named(name: str, figures: dict[str, Figure]) -> dict[str, Figure]:
    return {f"{name}_{which}": figure for which, figure in figures.items()}


def _component(name: str) -> Callable[[CaseReport], Share | None]:
    return lambda report: getattr(report.components, name) if report.components is not None else None


FIGURES: dict[str, dict[str, Figure]] = {
    "retrieval": {
        **_named("retrieval", _of_retrieval(lambda report: report.retrieval)),
        **_named("agent_retrieval", _of_retrieval(lambda report: report.agent_retrieval)),
    },
    "output": {
        "exact_match": _of_output(lambda output: output.exact_match),
        "exact_match_positional": _of_output(lambda output: output.exact_match_positional),
        "bird_ex": _of_output(lambda output: output.bird_ex),
        "spider_ex": _of_output(lambda output: output.spider_ex),
        **_named("set", _two(lambda report: report.answer.set if report.answer else None)),
        **_named("columns", _two(lambda report: report.output.columns if report.output else None)),
        **_named("cells", _two(lambda report: report.output.cells if report.output else None)),
    },
    "component": {
        **{key: one for name in _COMPONENTS for key, one in _named(name, _two(_component(name))).items()},
        "order_equal": _of_components(lambda components: components.order_equal),
        "limit_equal": _of_components(lambda components: components.limit_equal),
    },
}
"""Every figure by its family and the name of its column in a RUN. The families are never folded into one number."""
