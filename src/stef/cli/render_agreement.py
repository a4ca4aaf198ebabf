"""A RUN against labels, for people."""

from typing import TYPE_CHECKING

from stef.cli.agreement_document import explain_command, notes
from stef.cli.judges import judge_in_words
from stef.cli.label_remarks import label_remarks
from stef.cli.render_run import judge_of
from stef.cli.screen import Grid, count, number, one_line, percent, show
from stef.report.wording import SHARES, WORDING
from stef.stats.agreement import Agreement, Estimate, Figure

if TYPE_CHECKING:
    from stef.cli.agree import Compared
    from stef.runs.agree import RunAgreement

_LEFT = frozenset({"figure", "says", "reason", "value", "label", "turn", "question", "judge"})
_FEWEST_OF_SLICE = 5
_SLICE_COLUMNS = (Figure.WRONG, Figure.ACCURACY, Figure.AUC, Figure.FALSE_ACCEPTS, Figure.FALSE_REJECTS)


def show_agreement(compared: "Compared") -> None:
    """Print what was compared, the figures, the reliability curve, the slices, and what to read."""
    result = compared.result
    _show_head(compared)
    _show_confusion(result.overall)
    _show_figures(result, compared.resampling.level)
    _show_curve(result.overall)
    _show_left_out(result)
    _show_slices(result, compared.resampling.level)
    _show_remarks(compared)
    _show_disagreements(compared)


def _show_head(compared: "Compared") -> None:
    overall, labelled = compared.result.overall, compared.labelled
    level, resampling = compared.resampling.level, compared.resampling
    show(
        f"{count(len(labelled.turns), 'labelled turn')} of {labelled.run_turns:,} on "
        f"{count(overall.questions, 'question')}, judged by: {judge_in_words(judge_of(compared.run))}"
    )
    calibration = compared.run.settings.get("evaluation", {}).get("calibration")
    if calibration:
        show(
            f"Calibrated: {calibration.get('method')} map {calibration.get('hash')}, fitted on "
            f"{count(calibration.get('labels', 0), 'label')} ({calibration.get('date') or 'no date'})"
        )
    show(f"Accepted as right: p_correct ≥ {overall.threshold:g}")
    show(
        f"Intervals: {level:.0%}, {resampling.resamples:,} bootstrap resamples of whole questions, "
        f"seed {resampling.seed}".replace("%", " %")
    )


def _show_confusion(overall: Agreement) -> None:
    if not overall.turns:
        return
    counted = overall.confusion
    rows = [
        ("accepts", f"{counted.accepted_right:,}", f"{counted.accepted_wrong:,}"),
        ("rejects", f"{counted.rejected_right:,}", f"{counted.rejected_wrong:,}"),
    ]
    show()
    Grid(("judge", "label: right", "label: wrong"), rows, _LEFT).show()


def _show_figures(result: "RunAgreement", level: float) -> None:
    overall = result.overall
    if not overall.turns:
        return
    rows = [
        (title, *_cells(name, overall.figures[name]), _with_chance(says, name, overall))
        for name, (title, says) in WORDING.items()
        if name is not Figure.WITHIN or overall.questions_with_both
    ]
    rows.append(("AUC of the score", *_cells(Figure.AUC, result.by_score), "ranked by the coarser 0 to 100"))
    show()
    Grid(("figure", "is", _interval_name(level), "says"), rows, _LEFT).show()


def _with_chance(says: str, name: Figure, overall: Agreement) -> str:
    if name is Figure.WITHIN:
        return f"{says}, {count(overall.questions_with_both, 'question')} with both kinds"
    if name is Figure.ECE and overall.error_by_chance is not None:
        return f"{says}; {overall.error_by_chance:.3f} by chance alone"
    return says


def _interval_name(level: float) -> str:
    return f"{level * 100:.0f} % interval"


def _cells(name: Figure, estimate: Estimate) -> tuple[str, str]:
    found = estimate.interval
    if name in SHARES:
        return percent(estimate.value), "–" if found is None else f"{found.low * 100:.1f} to {found.high * 100:.1f}"
    return number(estimate.value, 3), "–" if found is None else f"{found.low:.3f} to {found.high:.3f}"


def _show_curve(overall: Agreement) -> None:
    if not overall.curve:
        return
    rows = [
        (
            f"{part.low:.2f} to {part.high:.2f}",
            f"{part.turns:,}",
            percent(part.mean_p),
            percent(part.share_right),
            "–" if found is None else f"{found.low * 100:.0f} to {found.high * 100:.0f}",
        )
        for part, found in overall.curve
    ]
    show()
    title = "Is the probability what it says? In a calibrated judge the two shares are alike"
    Grid(("p_correct", "turns", "mean p_correct", "are right", "interval"), rows, frozenset(), title).show()


def _show_left_out(result: "RunAgreement") -> None:
    if not result.left_out:
        return
    rows = [(one.reason, f"{one.right + one.wrong:,}", f"{one.right:,}", f"{one.wrong:,}") for one in result.left_out]
    turns = sum(one.right + one.wrong for one in result.left_out)
    show()
    title = (
        f"Unscored: {count(turns, 'labelled turn')} ({percent(turns / (turns + result.overall.turns))}), in no figure"
    )
    Grid(("reason", "turns", "label: right", "label: wrong"), rows, _LEFT, title).show()


def _show_slices(result: "RunAgreement", level: float) -> None:
    for by in dict.fromkeys(one.by for one in result.slices):
        members = [one for one in result.slices if one.by == by]
        shown = [one for one in members if one.turns >= _FEWEST_OF_SLICE] or members[:_FEWEST_OF_SLICE]
        rows = [
            (
                one_line(one.value, 40),
                f"{one.turns:,}",
                f"{one.unscored:,}",
                *(_with_interval(name, one.agreement.figures[name]) for name in _SLICE_COLUMNS),
            )
            for one in shown
        ]
        headers = ("value", "labelled", "unscored", "wrong", "accuracy", "AUC", "false accepts", "false rejects")
        show()
        Grid(headers, rows, _LEFT, f"By {by} ({_interval_name(level)}s)").show()
        left_out = len(members) - len(shown) + result.more_slices.get(by, 0)
        if left_out:
            show(f"and {count(left_out, 'smaller slice')}")


def _with_interval(name: Figure, estimate: Estimate) -> str:
    value, found = estimate.value, estimate.interval
    scale, digits = (100, 0) if name in SHARES else (1, 2)
    if value is None:
        return "–"
    text = f"{value * scale:.{digits}f}"
    return text if found is None else f"{text} [{found.low * scale:.{digits}f}, {found.high * scale:.{digits}f}]"


def _show_remarks(compared: "Compared") -> None:
    show()
    for note in notes(compared.result.overall):
        show(note)
    for remark in label_remarks(compared.labels, compared.labelled):
        show(remark)
    if not compared.run.complete:
        show("This RUN is not finished; only what is in it was compared")


def _show_disagreements(compared: "Compared") -> None:
    turns = compared.result.disagreements
    if not turns:
        return
    rows = [
        (
            one_line(turn.id, 40),
            "right" if turn.correct else "wrong",
            number(turn.p_correct, 2),
            "–" if turn.score is None else number(turn.score, 0),
            one_line(turn.asked, 70),
        )
        for turn in turns
    ]
    show()
    title = "To read: the judge is surest, and the label says otherwise. It may be the label that is wrong"
    Grid(("turn", "label", "p_correct", "score", "question"), rows, _LEFT, title).show()
    show(f"Next: {explain_command(compared.run.path, turns[0].row)}")
