"""A report as one JSON document."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from stef.report.checks import Checked
from stef.report.gold import GoldReport, named
from stef.report.model import Report, judge_of
from stef.report.scored import ScoredReport
from stef.runs.compare.words import headline, small_sample
from stef.version import VERSION

if TYPE_CHECKING:
    from stef.report.gates import Result


def report_document(report: Report) -> dict[str, Any]:
    """Everything that the page says but the turns themselves. `gates` is null where the user set none."""
    return {
        "title": report.title,
        "stef_version": VERSION,
        "kind": "gold" if report.gold else "scored",
        "runs": [_scored(one) for one in report.scored] or [_gold(one) for one in report.gold],
        "comparison": _comparison(report),
        "not_compared": report.not_compared,
        "agreement": report.agreement,
        "checks": None if report.checks is None else _checks(report.checks),
        "gates": None if not report.gates else _gates(report.gates),
    }


def _checks(checks: Checked) -> dict[str, Any]:
    return {
        "run": str(checks.run.path),
        "complete": checks.run.complete,
        "turns": checks.turns,
        "unmatched": checks.unmatched,
        "outcomes": checks.outcomes,
        "by_band": [
            {"outcome": one, "band": band, "turns": n} for (one, band), n in sorted(checks.bands.items(), key=str)
        ],
        "rungs": [asdict(one) for one in checks.rungs],
        "scored_high_and_opposed": {"turns": checks.high_turns, "first": [asdict(one) for one in checks.high]},
        "scored_low_and_supported": {"turns": checks.low_turns, "first": [asdict(one) for one in checks.low]},
    }


def _gates(results: Iterable["Result"]) -> dict[str, Any]:
    said = [{"gate": one.gate, "passed": one.passed, "failures": list(one.failures)} for one in results]
    return {"passed": all(one["passed"] for one in said), "results": said}


def _comparison(report: Report) -> dict[str, Any] | None:
    if report.comparison is None:
        return None
    found = report.comparison
    return {"headline": headline(found), "small_sample": small_sample(found), **asdict(found)}


def _scored(report: ScoredReport) -> dict[str, Any]:
    trend = report.trend
    return {
        "run": str(report.run.path),
        "complete": report.run.complete,
        "judged_by": judge_of(report.run),
        "agents": [one.to_json() for one in report.summary.agents],
        "total": report.summary.total.to_json(),
        "distribution": {name: list(bins) for name, bins in report.distribution.items()},
        "filters": [
            {"class": name, "turns": turns, "mean": report.filter_means.get(name)}
            for name, turns in report.summary.filter_classes.items()
        ],
        "findings": [asdict(one) for one in report.costs],
        "causes": [
            {
                "kind": one.cause.kind.value,
                "name": one.cause.name,
                "title": one.cause.title,
                "turns": one.turns,
                "points_lost": one.lost,
                "rows": list(one.examples),
            }
            for one in report.causes
        ],
        "trend": None if trend is None else asdict(trend),
        "repeated_ids": report.repeated,
        "bad_lines": report.run.about.get("counts", {}).get("bad_lines", 0),
    }


def _gold(report: GoldReport) -> dict[str, Any]:
    return {
        "run": str(report.run.path),
        "complete": report.run.complete,
        "agents": [named(one) for one in report.overview.agents],
        "overview": report.overview.to_json(),
        "repeated_ids": report.repeated,
    }
