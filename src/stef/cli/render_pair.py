"""A gold and a candidate side by side: both queries, both results with their pairs marked, components, figures."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from stef.cli.screen import Grid, count, harmless, number, one_line, show
from stef.gold.sidebyside import MOST_ROWS, Beside, RowPair, beside_each_other
from stef.records.case import Shape
from stef.records.result import Failure, Result

if TYPE_CHECKING:
    from stef.gold.sides import Ran
    from stef.records.case import Tolerance
    from stef.records.gold import CaseReport, ColumnPair, Output, Share
    from stef.runs.gold.pair import Pair

_MARKS = {Beside.SAME: "✓", Beside.DIFFERENT: "≠", Beside.GOLD_ONLY: "✗", Beside.CANDIDATE_ONLY: "+"}
LEGEND = "✓ in both  ✗ missing: only the gold's  + extra: only the agent's  ≠ differs: gold | agent"
_MOST_SAME, _MOST_OTHER, _MOST_CELLS = 5, 20, 24
_MOST_PLACES = 10
_COMPONENTS = ("tables", "joins", "projections", "filters", "filters_without_values", "aggregations", "grouping")


def show_pair(pair: "Pair", tolerance: "Tolerance") -> None:
    """Print everything about a pair."""
    _show_sql("Gold SQL", pair.gold)
    _show_sql("Agent's SQL", pair.candidate)
    _show_results(pair, tolerance)
    _show_figures(pair.report)
    _show_components(pair)
    show()
    show(LEGEND)


def _show_sql(title: str, ran: "Ran | None") -> None:
    show()
    show(title)
    if ran is None:
        show("  none")
        return
    for line in harmless(ran.sql).splitlines():
        show(textwrap.fill(line, 116, initial_indent="  ", subsequent_indent="    ", break_long_words=False))
    executed = ran.executed
    if isinstance(executed, Failure):
        near = f"; near it: {', '.join(executed.near)}" if executed.near else ""
        show(f"  failed ({executed.kind.value}): {one_line(executed.message + near, 300)}")
    else:
        cut = f", cut at the {executed.cut.value.replace('_', ' ')}" if executed.cut else ""
        columns = count(len(executed.columns), "column")
        show(f"  {count(executed.rows, 'row')}, {columns}{cut}, {executed.seconds:.3f} s")


def _show_results(pair: "Pair", tolerance: "Tolerance") -> None:
    gold, candidate = result_of(pair.gold), result_of(pair.candidate)
    output = pair.report.output
    show()
    if gold is not None and candidate is not None and output is not None:
        _show_both(gold, candidate, pair.report, output, tolerance)
        return
    for title, result in (("Gold's result", gold), ("Agent's result", candidate)):
        if result is not None:
            _show_one(title, result)


def result_of(ran: "Ran | None") -> Result | None:
    """What a query gave, where it ran."""
    return ran.executed if ran is not None and isinstance(ran.executed, Result) else None


def _show_one(title: str, result: Result) -> None:
    rows = [[_cell(column[index]) for column in result.columns] for index in range(min(result.rows, _MOST_OTHER))]
    Grid(_headers(result.names), rows, frozenset(), title).show()
    if result.rows > _MOST_OTHER:
        show(f"  … and {count(result.rows - _MOST_OTHER, 'row')} more")


def _show_both(gold: Result, candidate: Result, report: "CaseReport", output: "Output", tolerance: "Tolerance") -> None:
    lines = beside_each_other(gold, candidate, output.pairs, output.key, tolerance)
    shown = _chosen(lines)
    lonely_gold = [n for n in range(len(gold.names)) if n not in {pair.reference for pair in output.pairs}]
    lonely = [n for n in range(len(candidate.names)) if n not in {pair.candidate for pair in output.pairs}]
    headers = ["", *(_pair_header(gold, candidate, pair) for pair in output.pairs)]
    headers += [f"✗ {one_line(gold.names[n], 24)}" for n in lonely_gold]
    headers += [f"+ {one_line(candidate.names[n], 24)}" for n in lonely]
    rows = [
        [
            _MARKS[line.beside],
            *_paired_cells(gold, candidate, output.pairs, line),
            *(_lonely_cell(gold, place, line.reference) for place in lonely_gold),
            *(_lonely_cell(candidate, place, line.candidate) for place in lonely),
        ]
        for line in shown
    ]
    Grid(_distinct(headers), rows, frozenset(_distinct(headers)), "Results side by side").show()
    for remark in _remarks(gold, candidate, output, lines, shown):
        show(f"  {remark}")
    if report.answer is not None and report.answer.shape is Shape.RANKING and (moved := _moved(lines)):
        show(f"  {moved}")


def _pair_header(gold: Result, candidate: Result, pair: "ColumnPair") -> str:
    left, right = one_line(gold.names[pair.reference], 24), one_line(candidate.names[pair.candidate], 24)
    return f"✓ {left}" if left.casefold() == right.casefold() else f"✓ {left} = {right}"


def _distinct(headers: Sequence[str]) -> list[str]:
    return [header + " " * list(headers[:place]).count(header) for place, header in enumerate(headers)]


def _headers(names: Sequence[str]) -> list[str]:
    return _distinct([one_line(name, 30) for name in names])


def _chosen(lines: Sequence[RowPair]) -> list[RowPair]:
    """A few lines that are the same, and most of those that are not, in their order."""
    same, other, shown = 0, 0, []
    for line in lines:
        if line.beside is Beside.SAME:
            same += 1
            keep = same <= _MOST_SAME
        else:
            other += 1
            keep = other <= _MOST_OTHER
        if keep:
            shown.append(line)
    return shown


def _paired_cells(gold: Result, candidate: Result, pairs: Sequence["ColumnPair"], line: RowPair) -> Iterator[str]:
    for place, pair in enumerate(pairs):
        left = None if line.reference is None else _cell(gold.columns[pair.reference][line.reference])
        right = None if line.candidate is None else _cell(candidate.columns[pair.candidate][line.candidate])
        if left is None or right is None:
            yield left or right or ""
        elif place in line.differs:
            yield f"{left} | {right}"
        else:
            yield left


def _lonely_cell(result: Result, place: int, row: int | None) -> str:
    return "" if row is None else _cell(result.columns[place][row])


def _cell(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str) and value != " ".join(value.split()):
        # Spaces and line ends count, and must be seen.
        return one_line(repr(value), _MOST_CELLS)
    return one_line(repr(value) if isinstance(value, bytes) else str(value), _MOST_CELLS)


def _remarks(
    gold: Result, candidate: Result, output: "Output", lines: Sequence[RowPair], shown: Sequence[RowPair]
) -> Iterator[str]:
    counts = {beside: sum(line.beside is beside for line in lines) for beside in Beside}
    words = [f"{_MARKS[beside]} {rows:,}" for beside, rows in counts.items() if rows]
    hidden = f"; {count(len(lines) - len(shown), 'row')} not shown" if len(lines) > len(shown) else ""
    yield f"rows: {', '.join(words) or 'none'}{hidden}"
    if max(gold.rows, candidate.rows) > MOST_ROWS:
        yield f"only the first {MOST_ROWS:,} rows of each side stand here; the figures count all"
    for pair in output.pairs:
        left, right = one_line(gold.names[pair.reference], 30), one_line(candidate.names[pair.candidate], 30)
        if pair.precision != 1 or pair.recall != 1 or pair.by == "values" or left != right:
            shares = f"P {number(pair.precision, 3)}, R {number(pair.recall, 3)}"
            yield f"{left} = {right}, by {pair.by}: {shares}"
    key = [one_line(gold.names[output.pairs[place].reference], 30) for place in output.key]
    if key:
        yield f"row key: {' + '.join(key)}"


def _moved(lines: Sequence[RowPair]) -> str:
    """Where the gold's rows stand in the agent's result; empty where they stand in their order."""
    places = [line.candidate for line in lines if line.reference is not None]
    there = [place for place in places if place is not None]
    if there == sorted(there):
        return ""
    first = ", ".join("–" if place is None else str(place + 1) for place in places[:_MOST_PLACES])
    more = ", …" if len(places) > _MOST_PLACES else ""
    return f"another order: the gold's rows, from the first on, stand at {first}{more} of the agent's"


def _show_figures(report: "CaseReport") -> None:
    output, answer = report.output, report.answer
    rows = []
    if output is not None:
        rows += [
            ["columns", *_two(output.columns)],
            ["cells", *_two(output.cells)],
        ]
    if answer is not None and (answer.set.recall is not None or answer.set.precision is not None):
        rows.append(["set of ids", *_two(answer.set)])
    if report.components is not None:
        rows += [[name.replace("_", " "), *_two(getattr(report.components, name))] for name in _COMPONENTS]
    for name, retrieval in (("retrieval", report.retrieval), ("agent's retrieval", report.agent_retrieval)):
        if retrieval is not None:
            rows.append([name, *_two(retrieval.tables)])
    if rows:
        show()
        Grid(("figure", "precision", "recall"), rows, frozenset({"figure"})).show()


def _two(share: "Share") -> list[str]:
    return [number(share.precision, 3), number(share.recall, 3)]


def _show_components(pair: "Pair") -> None:
    from stef.gold.member_words import differences  # noqa: PLC0415  heavy

    if pair.gold is None or pair.gold.resolved is None or pair.report.components is None:
        return
    found = differences(pair.gold.resolved, pair.candidate.resolved if pair.candidate else None)
    lines = list(_order_lines(pair))
    lines += [
        f"  {mark} {one.name}: {one_line(member, 160)}"
        for one in found
        for mark, members in (("✗", one.missing), ("+", one.extra))
        for member in members
    ]
    show()
    show("Components that differ" if lines else "Components: no set differs")
    for line in lines:
        show(line)


def _order_lines(pair: "Pair") -> Iterator[str]:
    """How the two queries order and cut, where they differ."""
    from stef.sql.resolve import key_text  # noqa: PLC0415  heavy

    components = pair.report.components
    sides = [ran.resolved if ran is not None else None for ran in (pair.gold, pair.candidate)]
    if components is not None and components.order_equal is False:
        orders = [
            ", ".join(f"{key_text(key)}{' DESC' if down else ''}" for key, down in side.ordering) if side else ""
            for side in sides
        ]
        yield f"  ≠ order: {one_line(orders[0], 80) or 'none'} | {one_line(orders[1], 80) or 'none'}"
    if components is not None and components.limit_equal is False:
        limits = ["none" if side is None or side.limit is None else str(side.limit) for side in sides]
        yield f"  ≠ limit: {limits[0]} | {limits[1]}"


def verdict_lines(report: "CaseReport") -> Iterator[str]:
    """What is said of the turn as a whole."""
    yield _verdict(report)
    if report.symptom is not None:
        yield f"symptom: {report.symptom.value.replace('_', ' ')}"
    output = report.output
    if output is not None:
        flags = {
            "exact match": output.exact_match,
            "positional": output.exact_match_positional,
            "bird_ex": output.bird_ex,
            "spider_ex": output.spider_ex,
        }
        yield ", ".join(f"{name} {_truth(value)}" for name, value in flags.items())
    if report.display_cap:
        yield "display cap: the rows that the user saw are cut, and nothing else is wrong with them"
    if report.ceilings:
        yield f"ceilings: {', '.join(ceiling.value for ceiling in report.ceilings)}"
    yield from _troubles(report)


def _verdict(report: "CaseReport") -> str:
    correct = {True: "right", False: "wrong", None: "undefined"}[report.correct]
    shape = ""
    if report.answer is not None:
        on = f" on {report.answer.on}" if report.answer.on else ""
        how = "inferred from the gold" if report.answer.inferred else "as the case says"
        shape = f", compared as {report.answer.shape.value}{on} ({how})"
    which = f", gold {report.gold_index}" if report.gold_index is not None and len(report.golds) > 1 else ""
    return f"{correct}{shape}{which}; outcome: {report.outcome.value.replace('_', ' ')}"


def _troubles(report: "CaseReport") -> Iterator[str]:
    for state in report.golds:
        if state.doubts:
            yield f"gold in doubt ({', '.join(state.doubts)}): {one_line(state.detail, 200)}"
    if report.held_out:
        yield "held out of every mean"
    if report.scorer_fault:
        yield f"SCORER FAULT: {one_line(report.scorer_fault, 300)}"
    for fault in report.faults:
        yield f"error ({fault.whose.value}, {fault.kind}): {one_line(fault.message, 300)}"
    if report.leaks:
        yield f"leaks: {', '.join(one_line(one, 40) for one in report.leaks)}"


def _truth(value: bool | None) -> str:
    return {True: "yes", False: "no", None: "–"}[value]
