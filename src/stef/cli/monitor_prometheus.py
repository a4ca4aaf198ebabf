"""The last period of each series as Prometheus text (exposition format 0.0.4)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from stef.cli.screen import harmless
from stef.runs.monitor.model import Monitored, PeriodFigures, Series, Share
from stef.stats.bootstrap import Interval

_METRICS = {
    "stef_period_start_timestamp_seconds": "Start of the last period that holds turns.",
    "stef_turns": "Turns of the last period.",
    "stef_scored_turns": "Scored turns of the last period.",
    "stef_score_mean": "Mean score, 0 to 100.",
    "stef_score_mean_lower": "Lower end of the interval of the mean score.",
    "stef_score_mean_upper": "Upper end of the interval of the mean score.",
    "stef_score_p10": "The score that a tenth of the scored turns lies below.",
    "stef_coverage_ratio": "Scored turns over all turns.",
    "stef_readable_ratio": "Turns with one readable query over turns that hold SQL.",
    "stef_declined_ratio": "Turns in which the agent declined or asked back, over turns whose end is the agent's.",
    "stef_band_ratio": "Scored turns in a band over scored turns.",
    "stef_finding_ratio": "Turns on which a finding fires over turns that were aligned.",
    "stef_unscored_turns": "Unscored turns by reason.",
    "stef_drift": "1 while the last change of a figure is for the worse, else 0.",
    "stef_drift_since_timestamp_seconds": "Start of the period from which on a standing change counts.",
    "stef_drift_evidence": "Evidence for drift in the running test, a natural logarithm.",
    "stef_drift_evidence_threshold": "The evidence at which an alarm is raised.",
    "stef_question_drift": "1 where what is asked drifts, else 0.",
}
"""Name and help of every metric; all are gauges."""


@dataclass(slots=True)
class _Lines:
    """Samples by metric; one without a value is left out, never 0 and never NaN."""

    samples: dict[str, list[str]] = field(default_factory=dict)

    def add(self, metric: str, value: float | None, labels: Mapping[str, str]) -> None:
        if value is not None:
            inside = ",".join(f'{name}="{_escaped(text)}"' for name, text in labels.items())
            self.samples.setdefault(metric, []).append(f"{metric}{{{inside}}} {float(value)!r}")


def prometheus_text(found: Monitored, per: str | None) -> str:
    """One sample for each metric and series that goes on, labelled with the judge and what `per` names."""
    lines = _Lines()
    for each in found.current:
        labels = {"judge": found.judges[each.yardstick], "by": found.by.value}
        if per is not None:
            labels = {per: each.name or "", **labels}
        _period(lines, each.periods[-1], labels)
        _drift(lines, each, labels)
    return "".join(_blocks(lines))


def _blocks(lines: _Lines) -> Iterator[str]:
    for metric, help_text in _METRICS.items():
        samples = lines.samples.get(metric)
        if samples:
            yield "\n".join([f"# HELP {metric} {help_text}", f"# TYPE {metric} gauge", *samples]) + "\n"


def _period(lines: _Lines, one: PeriodFigures, labels: Mapping[str, str]) -> None:
    lines.add("stef_period_start_timestamp_seconds", one.period.start.timestamp(), labels)
    lines.add("stef_turns", one.turns, labels)
    lines.add("stef_scored_turns", one.scored, labels)
    lines.add("stef_score_mean", one.mean, labels)
    for end, value in _ends(one.mean_interval).items():
        lines.add(f"stef_score_mean_{end}", value, labels)
    lines.add("stef_score_p10", one.p10, labels)
    lines.add("stef_coverage_ratio", one.coverage.share, labels)
    lines.add("stef_readable_ratio", one.readable.share, labels)
    lines.add("stef_declined_ratio", one.declined.share, labels)
    _shares(lines, "stef_band_ratio", "band", one.bands, labels)
    _shares(lines, "stef_finding_ratio", "code", one.findings, labels)
    for reason, turns in one.reasons.items():
        lines.add("stef_unscored_turns", turns, {**labels, "reason": reason})


def _drift(lines: _Lines, each: Series, labels: Mapping[str, str]) -> None:
    standing = {change.figure: change for change in each.standing}
    for figure, evidence in each.evidence.items():
        named = {**labels, "figure": figure}
        change = standing.get(figure)
        lines.add("stef_drift", float(change is not None), named)
        if change is not None:
            lines.add("stef_drift_since_timestamp_seconds", change.since.start.timestamp(), named)
        lines.add("stef_drift_evidence", evidence.lower, {**named, "direction": "down"})
        lines.add("stef_drift_evidence", evidence.higher, {**named, "direction": "up"})
    lines.add("stef_drift_evidence_threshold", each.threshold, labels)
    lines.add("stef_question_drift", float(bool(each.question_changes)), labels)


def _shares(lines: _Lines, metric: str, label: str, found: Mapping[str, Share], labels: Mapping[str, str]) -> None:
    for name, one in found.items():
        lines.add(metric, one.share, {**labels, label: name})


def _ends(interval: Interval | None) -> dict[str, float]:
    return {} if interval is None else {"lower": interval.low, "upper": interval.high}


def _escaped(text: str) -> str:
    return harmless(text).replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
