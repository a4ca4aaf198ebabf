"""A comparison, for people: the sentence first, then what stands behind it, then what to read."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from stef.cli.screen import Grid, count, number, one_line, show
from stef.runs.compare.words import between, headline, judge_noise, points, small_sample

if TYPE_CHECKING:
    from stef.runs.compare import Comparison
    from stef.runs.compare.model import Change, Figure, Flip, Moved, SideFacts

_LEFT = frozenset({"side", "figure", "slice", "from", "to", "finding", "question", "what changed"})
_OF_CHANGES = frozenset({*_LEFT, "turns"})
_MOST_MOVED = 4
_MOST_SLICES = 30
_MOST_TRANSITIONS = 8
_MOST_FLIPS = 8


def show_comparison(found: "Comparison", shown: int) -> None:
    """Print it; `shown` regressions and as many improvements."""
    for remark in found.remarks:
        show(one_line(remark, 500))
    show(one_line(headline(found), 500))
    note = small_sample(found)
    if note:
        show(note)
    _show_sides(found)
    if found.unpaired is not None:
        _show_unpaired(found)
    else:
        _show_figures(found)
        _show_slices(found)
        _show_classes(found)
        _show_findings(found)
        _show_changes(found, shown)
    _show_left_out(found)


def _show_sides(found: "Comparison") -> None:
    rows = [_side_row(found, letter, side) for letter, side in (("A", found.a), ("B", found.b))]
    more = () if found.gold else ("unreadable", "declined")
    headers = ("side", "", "turns", "decided" if found.gold else "scored", "mean", *more)
    show()
    Grid(headers, rows, _LEFT | {""}).show()


def _side_row(found: "Comparison", letter: str, side: "SideFacts") -> list[str]:
    more = [] if found.gold else [f"{side.unreadable:,}", f"{side.declined:,}"]
    return [letter, one_line(side.name, 50), f"{side.turns:,}", f"{side.scored:,}", number(side.mean), *more]


def _show_figures(found: "Comparison") -> None:
    lines = [(found.figure, found.main)]
    if found.as_zero is not None:
        lines.append(("… unreadable as 0", found.as_zero))
    if found.declined_too is not None:
        lines.append(("… declined as 0, too", found.declined_too))
    lines += [(one.name, one) for one in found.others]
    unit = "cases" if found.gold else "questions"
    headers = ("figure", "A", "B", "B − A", _interval_name(found), "p", "wins", "ties", "losses", unit)
    rows = [_figure_row(name, one) for name, one in lines if one.difference.pairs]
    if rows:
        show()
        Grid(headers, rows, _LEFT).show()
        show(_method(found))
    for flips in filter(None, (found.readable, found.declined)):
        if flips.became + flips.ceased + flips.both:
            show(
                f"{flips.became:,} became {flips.name}, {flips.ceased:,} ceased to be, {flips.both:,} on both sides: "
                f"p = {_p(flips.p)} ({flips.test})"
            )


def _figure_row(name: str, figure: "Figure") -> list[str]:
    difference = figure.difference
    return [
        name,
        number(figure.a),
        number(figure.b),
        "–" if difference.mean is None else points(difference.mean, signed=True),
        between(difference.interval).strip() or "–",
        _p(difference.p if figure.corrected is None else figure.corrected),
        f"{difference.wins:,}",
        f"{difference.ties:,}",
        f"{difference.losses:,}",
        f"{difference.clusters:,}",
    ]


def _method(found: "Comparison") -> str:
    others = f"; p of the other {len(found.others)} figures after Holm" if len(found.others) > 1 else ""
    pairs, clusters = found.main.difference.pairs, found.main.difference.clusters
    several = f" ({pairs:,} pairs)" if pairs != clusters else ""
    text = (
        f"Points from 0 to 100; intervals: studentised bootstrap of whole {'cases' if found.gold else 'questions'}"
        f"{several}, {found.resamples:,} resamples, seed {found.seed}; p: {found.main.test}{others}"
    )
    if noise := judge_noise(found):
        text += f"\n{noise}"
    detectable = found.planning.detectable
    if detectable is not None:
        text += f"\nThis comparison shows a true difference of {points(detectable)} points four times in five"
    if found.same_sql:
        text += f"\n{count(found.same_sql, 'pair')} with the same SQL on both sides"
        if found.same_sql_moved:
            whose = "the data or the gold" if found.gold else "the judge"
            text += f", {found.same_sql_moved:,} of them with another {found.figure}: that is {whose}, not the agent"
    return text


def _show_slices(found: "Comparison") -> None:
    if not found.slices:
        return
    rows = [
        [
            one_line(f"{one.by} {one.value}", 40),
            number(one.figure.a),
            number(one.figure.b),
            "–" if one.figure.difference.mean is None else points(one.figure.difference.mean, signed=True),
            between(one.figure.difference.interval).strip() or "–",
            _p(one.figure.corrected),
            f"{one.figure.difference.clusters:,}",
        ]
        for one in found.slices[:_MOST_SLICES]
    ]
    show()
    many = count(len(found.slices), "slice")
    title = f"Where: {found.figure} by slice. p after Holm for {many}; the intervals are not corrected"
    Grid(("slice", "A", "B", "B − A", _interval_name(found), "p", "n"), rows, _LEFT, title).show()
    left_out = len(found.slices) - len(rows)
    if found.small_slices or left_out:
        show(f"and {count(found.small_slices + left_out, 'smaller slice')}")


def _show_classes(found: "Comparison") -> None:
    moves = [one for one in found.filters if one.a != one.b]
    if not moves:
        return
    rows = [[_words(one.a), _words(one.b), f"{one.pairs:,}", points(one.mean, signed=True)] for one in moves]
    show()
    title = "Filters whose class changed. No test: slices by an outcome of A would show its bad luck as progress"
    Grid(("from", "to", "pairs", "B − A"), rows[:_MOST_TRANSITIONS], _LEFT, title).show()


def _show_findings(found: "Comparison") -> None:
    if not found.findings:
        return
    titles = _titles()
    rows = [
        [one.name, one_line(titles.get(one.name, ""), 60), *_flip_cells(one)] for one in found.findings[:_MOST_FLIPS]
    ]
    show()
    tested = found.findings[0].test
    title = f"Findings that came or went ({tested}; p after Holm for {count(len(found.findings), 'finding')})"
    Grid(("finding", "", "in A", "in B", "gone", "new", "p"), rows, _LEFT | {""}, title).show()


def _flip_cells(flips: "Flip") -> list[str]:
    counts = (flips.ceased + flips.both, flips.became + flips.both, flips.ceased, flips.became)
    return [*(f"{one:,}" for one in counts), _p(flips.corrected)]


def _titles() -> dict[str, str]:
    from stef.findings import all_rules  # noqa: PLC0415  heavy

    return {rule.code: rule.title for rule in all_rules()}


def _show_changes(found: "Comparison", shown: int) -> None:
    regressions = ("Regressions", found.regressions, found.regressed)
    for title, changes, total in (regressions, ("Improvements", found.improvements, found.improved)):
        if not changes or not shown:
            continue
        rows = [_change_row(one) for one in changes[:shown]]
        show()
        more = f", the first {len(rows):,}" if total > len(rows) else ""
        headers = ("A", "B", "question", "what changed", "turns")
        Grid(headers, rows, _OF_CHANGES, f"{title}: {count(total, 'question')}{more}").show()
    first = next(iter(found.regressions), None)
    if first is not None and shown:
        verb = "stef gold explain" if found.gold else "stef explain"
        show()
        same = found.a.path == found.b.path
        there = f"'#{first.a_row}'" if same else f"{verb} {found.a.path} '#{first.a_row}'"
        show(f"Next: {verb} {found.b.path} '#{first.b_row}'   (the first regression; in A it is {there})")


def _change_row(change: "Change") -> list[str]:
    return [
        _value(change.a, change.kind, at_b=False),
        _value(change.b, change.kind, at_b=True),
        one_line(change.question, 60),
        _moves(change),
        one_line(f"#{change.a_row}, #{change.b_row}", 30),
    ]


def _value(value: float | None, kind: str, *, at_b: bool) -> str:
    if value is not None:
        return number(value, 0)
    if at_b:
        return kind if kind in ("unreadable", "declined") else "–"
    return {"readable": "unreadable", "answered": "declined"}.get(kind, "–")


def _moves(change: "Change") -> str:
    said = [_move(one) for one in change.moved[:_MOST_MOVED]]
    if len(change.moved) > _MOST_MOVED:
        said.append(f"{len(change.moved) - _MOST_MOVED} more")
    if change.same_sql:
        said.insert(0, "the same SQL")
    if change.within_noise:
        said.append("within the judge's noise")
    return "; ".join(said) or "–"


def _move(moved: "Moved") -> str:
    match (moved.a, moved.b):
        case (None, str(after)):
            return f"+ {_short(moved.what, after)}"
        case (str(before), None):
            return f"− {_short(moved.what, before)}"
        case (before, after):
            return f"{_words(str(before))} → {_words(str(after))}"


def _short(what: str, text: str) -> str:
    return text if what == "finding" else f"{what} {one_line(text, 40)}"


def _show_left_out(found: "Comparison") -> None:
    for number_of, line in enumerate(left_out_in_words(found)):
        if number_of == 0:
            show()
        show(line)


def left_out_in_words(found: "Comparison") -> Iterable[str]:
    """What was not compared, line by line."""
    out = found.left_out
    noun = "case" if found.gold else "question"
    if found.unpaired is None:
        if out.only_a:
            yield f"Only in A: {count(out.only_a, noun)}"
        if out.only_b:
            yield f"Only in B: {count(out.only_b, noun)}"
    if out.without_key:
        yield f"Without a key: {count(out.without_key, 'turn')}"
    if out.unknown:
        why = "could not be decided" if found.gold else "unscored for reasons of stef's own"
        yield f"Left out: {count(out.unknown, 'pair')} {why}"
    if out.declined:
        yield f"Left out of the score: {count(out.declined, 'pair')} that an agent declined, or asked back"
    for letter, side in (("A", found.a), ("B", found.b)):
        if side.repeated_ids:
            yield f"{letter}: {count(side.repeated_ids, 'turn')} with an id that an earlier one has"
        if side.invalid:
            yield f"{letter}: {count(side.invalid, 'invalid result')} (broken lines, or turns that stef failed on)"


def _show_unpaired(found: "Comparison") -> None:
    weak = found.unpaired
    if weak is None or weak.mean is None:
        return
    by = ", ".join(found.strata) or "nothing: neither RUN says more of its questions"
    show()
    strata = count(weak.strata, "stratum", "strata")
    show(f"The questions of both sides are not the same ones. Compared within {strata} by {by}, weighted by size")
    show(f"Plain difference of means: {points(weak.simple or 0.0, signed=True)} points; p = {_p(weak.p)} (Welch)")
    if weak.left_out:
        show(f"Left out: {count(weak.left_out, 'question')} in strata that one side lacks")
    show(
        "Harder questions within a stratum are not told from a worse agent: put the same questions to both for a "
        "comparison that can"
    )


def _interval_name(found: "Comparison") -> str:
    return f"{found.level * 100:.0f} % interval"


def _p(value: float | None) -> str:
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _words(name: str) -> str:
    return one_line(name.replace("_", " "), 40)


__all__ = ["left_out_in_words", "show_comparison"]
