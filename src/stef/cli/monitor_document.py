"""What `stef monitor` found, as one JSON document, and as the body of a webhook."""

from collections.abc import Mapping, Sequence
from typing import Any

from stef.runs.monitor.model import Cause, Change, Monitored, Move, PeriodFigures, Series, Share
from stef.runs.monitor.words import details, headlines, sentence
from stef.stats.bootstrap import Interval
from stef.stats.mixture import Part


def monitor_document(found: Monitored, titles: dict[str, str], failed: Sequence[str] | None) -> dict[str, Any]:
    """All of it. `failed`: why gates failed, None where none was asked for."""
    return {
        "runs": list(found.runs),
        "by": found.by.value,
        "time_zone": found.zone,
        "false_alarm_rate": found.rate,
        "headlines": list(headlines(found, titles)),
        "status": status(found),
        "gate": None if failed is None else {"failed": bool(failed), "reasons": list(failed)},
        "turns": found.turns,
        "without_timestamp": found.untimed,
        "duplicates": found.duplicates,
        "other_turns_of_the_same_id": found.same_id,
        "before_since": found.early,
        "after_now": found.future,
        "odd_periods": [period.label for period in found.odd],
        "agents": list(found.agents),
        "judges": list(found.judges),
        "yardstick_changes": [{"since": one.since.label, "what": list(one.what)} for one in found.yardsticks],
        "remarks": list(found.remarks),
        "series": [_series(found, each, titles) for each in found.series],
    }


def payload(found: Monitored, titles: dict[str, str], failed: Sequence[str] | None) -> dict[str, Any]:
    """The body of a webhook: `text` for a chat, and the facts for a program. It is small: no period but the last."""
    current = found.current
    lines = list(headlines(found, titles))
    return {
        "text": "\n".join([f"stef monitor: {status(found)}", *(f"• {line}" for line in lines)]),
        "status": status(found),
        "gate": None if failed is None else {"failed": bool(failed), "reasons": list(failed)},
        "runs": list(found.runs),
        "by": found.by.value,
        "time_zone": found.zone,
        "series": [
            {
                "name": each.name,
                "judge": found.judges[each.yardstick],
                "last_period": _period(each.periods[-1]),
                "changes": [_change(change, titles) for change in each.changes],
                "question_changes": [_change(change, titles) for change in each.question_changes],
            }
            for each in current
        ],
    }


def status(found: Monitored) -> str:
    """`drift` while a change for the worse stands, else `questions` where what is asked drifts, else `steady`."""
    if any(each.standing for each in found.current):
        return "drift"
    return "questions" if any(each.question_changes for each in found.current) else "steady"


def _series(found: Monitored, each: Series, titles: dict[str, str]) -> dict[str, Any]:
    return {
        "name": each.name,
        "judge": found.judges[each.yardstick],
        "periods": [_period(one) for one in each.periods],
        "gaps": [{"after": gap.after.label, "before": gap.before.label, "periods": gap.length} for gap in each.gaps],
        "changes": [_change(change, titles) for change in each.changes],
        "question_changes": [_change(change, titles) for change in each.question_changes],
        "standing": [change.figure for change in each.standing],
        "evidence": {
            name: {"lower": round(one.lower, 4), "higher": round(one.higher, 4)} for name, one in each.evidence.items()
        },
        "threshold": round(each.threshold, 4),
        "dispersion": None
        if each.dispersion is None
        else {"ratio": each.dispersion.ratio, "p": each.dispersion.p, "restless": each.restless},
    }


def _period(one: PeriodFigures) -> dict[str, Any]:
    return {
        "period": one.period.label,
        "start": one.period.start.isoformat(),
        "turns": one.turns,
        "questions": one.questions,
        "scored": one.scored,
        "mean": one.mean,
        "mean_interval": _interval(one.mean_interval),
        "p10": one.p10,
        "p10_interval": _interval(one.p10_interval),
        "coverage": _share(one.coverage),
        "readable": _share(one.readable),
        "declined": _share(one.declined),
        "bands": _shares(one.bands),
        "filters": _shares(one.filters),
        "findings": _shares(one.findings),
        "unscored_reasons": dict(one.reasons),
        "unscored_by_stef": one.own,
    }


def _shares(found: Mapping[str, Share]) -> dict[str, Any]:
    return {name: _share(one) for name, one in found.items()}


def _share(one: Share) -> dict[str, Any]:
    return {"count": one.count, "n": one.n, "share": one.share, "interval": _interval(one.interval)}


def _interval(one: Interval | None) -> list[float] | None:
    return None if one is None else [one.low, one.high]


def _change(change: Change, titles: dict[str, str]) -> dict[str, Any]:
    return {
        "figure": change.figure,
        "direction": "down" if change.sign < 0 else "up",
        "worse": change.worse,
        "since": change.since.label,
        "between": [change.earliest.label, change.latest.label],
        "raised_after": change.raised.label,
        "before": change.before,
        "after": change.after,
        "questions": [change.before_questions, change.after_questions],
        "evidence": change.evidence,
        "scan_p": change.p,
        "in_words": sentence(change, titles),
        "details": list(details(change, titles)),
        "cause": None if change.cause is None else _cause(change.cause),
    }


def _cause(cause: Cause) -> dict[str, Any]:
    parts, again = cause.parts, cause.again
    return {
        "blame": cause.blame.value,
        "mix_of_questions": None if parts is None else _part(parts.mix),
        "same_kind_of_question": None if parts is None else _part(parts.within),
        "asked_again": None
        if again is None
        else {
            "questions": again.clusters,
            "difference": again.mean,
            "interval": _interval(again.interval),
            "p": again.p,
        },
        "questions": [_move(one) for one in cause.questions],
        "findings": [_move(one) for one in cause.findings],
        "classes": [_move(one) for one in cause.classes],
        "agents": [_move(one) for one in cause.versions],
    }


def _part(part: Part) -> dict[str, Any]:
    return {"difference": part.mean, "interval": _interval(part.interval)}


def _move(move: Move) -> dict[str, Any]:
    return {"name": move.name, "before": move.before, "after": move.after, "ratio": move.ratio, "p": move.p}
