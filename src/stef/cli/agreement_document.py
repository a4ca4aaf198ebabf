"""A RUN against labels as one JSON document."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from stef.cli.judges import judge_in_words
from stef.cli.label_remarks import label_remarks, troubles
from stef.cli.render_run import judge_of
from stef.cli.screen import quoted
from stef.stats.agreement import FEWEST, Agreement, Estimate, labels_to_halve
from stef.stats.bootstrap import Interval

if TYPE_CHECKING:
    from stef.cli.agree import Compared
    from stef.runs.labelled import LabelledTurn

_DIGITS = 6
FEW_QUESTIONS = 20
"""Fewer questions than this make rough intervals."""


def agreement_document(compared: "Compared") -> dict[str, Any]:
    """Everything that `stef agree` says; figures that are undefined, and intervals of too little, are null."""
    run, result, labelled = compared.run, compared.result, compared.labelled
    evaluation = run.settings.get("evaluation", {})
    return {
        "run": str(run.path),
        "complete": run.complete,
        "judge": judge_of(run),
        "judged_by": judge_in_words(judge_of(run)),
        "prompts_hash": evaluation.get("prompts_hash"),
        "rules": evaluation.get("rules"),
        "calibration": evaluation.get("calibration"),
        "stef_version": evaluation.get("stef_version"),
        "threshold": result.overall.threshold,
        "intervals": {
            "level": compared.resampling.level,
            "method": "bootstrap clustered by question",
            "resamples": compared.resampling.resamples,
            "seed": compared.resampling.seed,
        },
        "labels": _labels(compared),
        "turns": labelled.run_turns,
        "labelled": len(labelled.turns),
        "coverage": _rounded(len(labelled.scored) / len(labelled.turns)),
        "unscored": [
            {"reason": one.reason, "right": one.right, "wrong": one.wrong, "turns": one.right + one.wrong}
            for one in result.left_out
        ],
        "overall": {**_agreement(result.overall), "auc_by_score": _estimate(result.by_score)},
        "roc": [[_rounded(x), _rounded(y)] for x, y in result.roc],
        "slices": [
            {
                "by": one.by,
                "value": one.value,
                "labelled": one.turns,
                "unscored": one.unscored,
                **_agreement(one.agreement),
            }
            for one in result.slices
        ],
        "smaller_slices_left_out": dict(result.more_slices),
        "disagreements": [_turn(turn, str(run.path)) for turn in result.disagreements],
        "notes": notes(result.overall),
        "remarks": list(label_remarks(compared.labels, labelled)),
    }


def notes(overall: Agreement) -> list[str]:
    """What there is to be said of figures that rest on little."""
    said: list[str] = []
    if not overall.turns:
        said.append("No labelled turn has a score: there is nothing to compare.")
        return said
    if not overall.right or not overall.wrong:
        word = "right" if overall.right else "wrong"
        other = "wrong" if overall.right else "right"
        said.append(
            f"Every label of a scored turn says {word}: κ, AUC and whatever else needs both kinds is undefined (–). "
            f"Accuracy here is the share that the judge calls {word}. Label some turns that may be {other}."
        )
    if overall.turns < FEWEST:
        said.append(
            f"{overall.turns} labelled {'turn' if overall.turns == 1 else 'turns'}: too few for intervals "
            f"(from {FEWEST} on). The counts hold; a rate of them says little. Read the disagreements."
        )
        return said
    if overall.questions < FEW_QUESTIONS:
        said.append(f"The labels are of {overall.questions} questions only: the intervals are rough.")
    said.append(
        f"To halve the intervals: {labels_to_halve(overall.turns):,} labels in place of {overall.turns:,} "
        "(four times as many, on new questions)."
    )
    return said


def _labels(compared: "Compared") -> dict[str, Any]:
    labels, labelled = compared.labels, compared.labelled
    return {
        "records": labels.records,
        "used": len(labelled.turns),
        "fields": dict(labels.used),
        "blank": labels.blank,
        "turns_alike_left_out": labelled.alike,
        **{
            name: {"count": one.count, "such_as": list(one.examples)}
            for name, one in troubles(labels, labelled).items()
        },
    }


def _agreement(one: Agreement) -> dict[str, Any]:
    counted = one.confusion
    return {
        "scored": one.turns,
        "right": one.right,
        "wrong": one.wrong,
        "questions": one.questions,
        "questions_with_both": one.questions_with_both,
        "confusion": {
            "accepted_right": counted.accepted_right,
            "accepted_wrong": counted.accepted_wrong,
            "rejected_right": counted.rejected_right,
            "rejected_wrong": counted.rejected_wrong,
        },
        "figures": {name.value: _estimate(estimate) for name, estimate in one.figures.items()},
        "calibration_error_by_chance": _rounded(one.error_by_chance),
        "reliability": [
            {
                "low": _rounded(part.low),
                "high": _rounded(part.high),
                "turns": part.turns,
                "right": part.right,
                "mean_p": _rounded(part.mean_p),
                "share_right": _rounded(part.share_right),
                "interval": _interval(found),
            }
            for part, found in one.curve
        ],
        "labels_to_halve_intervals": labels_to_halve(one.turns) if one.turns >= FEWEST else None,
    }


def explain_command(run: Path | str, row: int) -> str:
    """The command that shows the turn of a row."""
    return f"stef explain {quoted(str(run))} '#{row}'"


def _turn(turn: "LabelledTurn", run: str) -> dict[str, Any]:
    return {
        "row": turn.row,
        "id": turn.id,
        "label": "right" if turn.correct else "wrong",
        "p_correct": _rounded(turn.p_correct),
        "score": turn.score,
        "verdict": turn.verdict,
        "question": turn.asked,
        "explain": explain_command(run, turn.row),
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {"value": _rounded(estimate.value), "interval": _interval(estimate.interval)}


def _interval(found: Interval | None) -> list[float | None] | None:
    return None if found is None else [_rounded(found.low), _rounded(found.high)]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
