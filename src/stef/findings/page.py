"""The page of all findings, as Markdown: what each sees, and how right it was on labelled turns."""

from collections.abc import Sequence

from stef.findings.measured import LabelledSet, Measured, Precision
from stef.findings.registry import Rule

_HEAD = """# Findings

A finding is a coded observation on a turn, as a linter's rule is. It names what it rests on; it decides nothing. The
symbolic judge weighs it, an LLM judge is told of it, `stef explain` shows it with its words and its SQL.

- `stef findings` lists all of them with what was measured, `stef findings S120` shows one.
- The rules of an application switch a finding off, or let it count less or more:
  `"findings": {"S120": {"enabled": false}, "S402": {"weight": 0.5}}`.
- A team adds its own: a module with a docstring, `CODE` (in letters of its own, such as `ACME101`), `TITLE` and
  `find(context)`, which yields `Finding`s. An entry point of the group `stef.findings` names it, or a package of such
  modules, each named by its code (`acme101_no_tenant`). `NEEDS`, where there is one, names what a turn must have one of
  for the rule to be called (`stef.findings.there` lists the names).
- A rule that raises costs its own finding and nothing else: the turn keeps its score, and `S000` counts stef's fault.

"""
_HOW = """## How right they are

Each was run over labelled turns. *Wrong* is the share of the turns on which it fires that are labelled wrong, in
brackets the 90 % interval, clustered by question; *base* is the wrong share of all turns of the set. *Same questions*
is the wrong share of the other turns of the same questions: where it is as high, the finding mostly tells hard
questions. A few turns say little. What was never seen on these sets is there for its meaning. The figures are written
by `python tools/measure_findings.py`, this page by `stef findings --markdown`.

"""


def render_page(rules: Sequence[Rule], measured: Measured) -> str:
    """The whole page."""
    lines = [_HEAD, _HOW, "| set | turns | questions | base |\n|---|---:|---:|---:|\n"]
    lines += [f"| {one.name} | {one.turns:,} | {one.questions:,} | {one.wrong_share:.2f} |\n" for one in measured.sets]
    lines.append("\n## All findings\n")
    lines += [_section(rule, measured) for rule in rules]
    return "".join(lines)


def _section(rule: Rule, measured: Measured) -> str:
    figures = measured.of(rule.code)
    rows = [_row(one, figures[one.name]) for one in measured.sets if one.name in figures]
    table = "".join(rows) or "Never seen on the labelled turns.\n"
    head = "| set | fired on | wrong | base | same questions |\n|---|---:|---:|---:|---:|\n" if rows else ""
    return f"\n### {rule.code} {rule.title}\n\n{rule.doc}\n\n{head}{table}"


def _row(labelled: LabelledSet, one: Precision) -> str:
    same = "" if one.same_question is None else f"{one.same_question:.2f}"
    wrong = f"{one.wrong_share:.2f} ({one.low:.2f} to {one.high:.2f})"
    return f"| {labelled.name} | {one.turns:,} | {wrong} | {labelled.wrong_share:.2f} | {same} |\n"
