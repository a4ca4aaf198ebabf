"""Gates that only the user sets, and what of a report fails them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from stef.errors import UserError
from stef.report.gold import GoldReport, known_figures
from stef.report.scored import ScoredReport, name_of
from stef.report.text import count, number, percent
from stef.runs.compare.gate import Gate as ComparisonGate
from stef.runs.compare.gate import failures as comparison_failures
from stef.runs.compare.model import Comparison
from stef.stats import AgentSummary

SHARES = ("coverage", "readable")
POINTS = ("mean", "p90")
COUNTED = ("finding", "unscored", "band", "bucket")
_GOLD_ONLY = frozenset({"bucket"})
SOUND = "complete and valid"
"""The gate that stands beside every other one: what was not measured has not passed."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one gate. `failures` say what failed and by how much; nothing where it passed."""

    gate: str
    failures: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failures


@dataclass(frozen=True, slots=True)
class Least:
    """`--fail-under figure=least`; `least` is in points, or a share from 0 to 1."""

    figure: str
    least: float
    text: str


@dataclass(frozen=True, slots=True)
class Most:
    """`--fail-on kind:name[=most]`: fails where more turns than `most` have it; a share of the turns where `share`."""

    kind: str
    name: str
    most: float
    share: bool
    text: str


@dataclass(frozen=True, slots=True)
class Gates:
    """All gates of a command."""

    least: tuple[Least, ...] = ()
    most: tuple[Most, ...] = ()
    max_unscored: tuple[float, str] | None = None
    max_regression: float | None = None

    @property
    def asked(self) -> bool:
        """Whether there is a gate at all."""
        return bool(self.least or self.most or self.max_unscored is not None or self.max_regression is not None)


def read_gates(
    under: Iterable[str], on: Iterable[str], max_unscored: str | None, max_regression: float | None, *, gold: bool
) -> Gates:
    """The gates as the user wrote them. Raises UserError with the way out for one that cannot be read."""
    return Gates(
        least=tuple(_least(one, gold=gold) for one in under),
        most=tuple(_most(one, gold=gold) for one in on),
        max_unscored=None if max_unscored is None else (_share(max_unscored, "--max-unscored"), max_unscored),
        max_regression=max_regression,
    )


def results(
    gates: Gates,
    scored: Sequence[ScoredReport],
    gold: Sequence[GoldReport],
    comparison: Comparison | None,
    not_compared: str | None = None,
) -> tuple[Result, ...]:
    """What became of each gate, in the order given; the last RUN is looked at, agent by agent. Empty without gates."""
    if not gates.asked:
        return ()
    found = _of_scored(gates, scored[-1], comparison) if scored else _of_gold(gates, gold[-1], comparison)
    results = list(found)
    if gates.max_regression is not None:
        results.append(_regression(gates.max_regression, comparison, not_compared))
    return tuple(results)


def _of_scored(gates: Gates, last: ScoredReport, comparison: Comparison | None) -> Iterator[Result]:
    yield Result(SOUND, (*_unsound(last), *_missing(comparison)))
    for under in gates.least:
        yield Result(f"fail-under {under.text}", tuple(_under(under, last.summary.agents)))
    for over in gates.most:
        yield Result(f"fail-on {over.text}", tuple(_counted(over, last)))
    if gates.max_unscored is not None:
        most, text = gates.max_unscored
        yield Result(f"max-unscored {text}", tuple(_unscored(most, last.summary.agents)))


def _of_gold(gates: Gates, last: GoldReport, comparison: Comparison | None) -> Iterator[Result]:
    yield Result(SOUND, (*last.unsound(), *_missing(comparison)))
    for under in gates.least:
        yield Result(f"fail-under {under.text}", tuple(last.under(under.figure, under.least)))
    for over in gates.most:
        yield Result(f"fail-on {over.text}", tuple(last.over(over.name, over.most, share=over.share)))
    if gates.max_unscored is not None:
        most, text = gates.max_unscored
        yield Result(f"max-unscored {text}", tuple(last.undecided(most)))


def _missing(comparison: Comparison | None) -> Iterator[str]:
    """What the old side has, and the new one lacks."""
    if comparison is not None and (lacking := comparison.left_out.only_a):
        noun = "case" if comparison.gold else "question"
        such = f", such as {comparison.left_out.missing[0]}" if comparison.left_out.missing else ""
        yield f"{comparison.b.name}: {count(lacking, noun)} of {comparison.a.name} missing{such}"


def _regression(most: float, comparison: Comparison | None, why: str | None) -> Result:
    gate = f"max-regression {most:g}"
    if comparison is None:
        return Result(gate, (f"not compared: {why}",))
    return Result(gate, tuple(comparison_failures(ComparisonGate(most=most), comparison)))


def _unsound(report: ScoredReport) -> Iterator[str]:
    """Missing turns, repeated ids, invalid results."""
    run, summary = report.run, report.summary
    if not run.complete:
        yield f"{run.path}: the RUN is not finished: turns are missing"
    if report.repeated:
        yield f"{run.path}: {count(report.repeated, 'turn')} with an id that an earlier turn of the same agent has"
    bad = int(run.about.get("counts", {}).get("bad_lines", 0))
    if bad:
        yield f"{run.path}: {count(bad, 'line')} of the log could not be read"
    faults = sum(turns for reason, turns in summary.total.reasons.items() if reason.value == "harness_fault")
    if faults or summary.finding_faults:
        yield f"{run.path}: stef itself failed on {count(faults + summary.finding_faults, 'turn')}"


def _under(gate: Least, agents: Iterable[AgentSummary]) -> Iterator[str]:
    for agent in agents:
        value = figure_of(agent, gate.figure)
        if value is None:
            yield f"{_name(agent)}: {gate.figure} is undefined: no turn has one"
        elif value < gate.least:
            yield f"{_name(agent)}: {gate.figure} is {_shown(value, gate)}, {_shown(gate.least - value, gate)} too low"


def _shown(value: float, gate: Least) -> str:
    return percent(value, 2) if gate.figure in SHARES else number(value, 2)


def figure_of(agent: AgentSummary, figure: str) -> float | None:
    """The figure of an agent that gates know: mean, p90 (points), coverage, readable (shares)."""
    values = {"mean": agent.mean, "p90": agent.p90, "coverage": agent.coverage, "readable": agent.readable_rate}
    return values[figure]


def _unscored(most: float, agents: Iterable[AgentSummary]) -> Iterator[str]:
    for agent in agents:
        share = agent.unscored / agent.turns if agent.turns else 1.0
        if share > most:
            kinds = ", ".join(f"{kind.value} {turns:,}" for kind, turns in agent.kinds.items())
            yield (
                f"{_name(agent)}: {percent(share, 2)} unscored ({agent.unscored:,} of {agent.turns:,}: {kinds}), "
                f"{percent(share - most, 2)} too many"
            )


def _counted(gate: Most, report: ScoredReport) -> Iterator[str]:
    total = report.summary.total.turns
    turns, example = report.turns_with(gate.kind, gate.name)
    most = gate.most * total if gate.share else gate.most
    if turns > most:
        allowed = f", {count(turns - int(most), 'turn')} too many" if most else ""
        yield f"{count(turns, 'turn')} of {total:,} with {gate.kind} {gate.name}{allowed}, such as {example}"


def _name(agent: AgentSummary) -> str:
    return name_of(agent.agent, agent.agent_version)


def _least(text: str, *, gold: bool) -> Least:
    figure, equals, value = text.partition("=")
    figure, value = (figure.strip().lower(), value.strip()) if equals else ("correct" if gold else "mean", text.strip())
    if gold:
        _check_figure(figure, text)
        return Least(figure, _share(value, f"--fail-under {text}"), text)
    if figure in SHARES:
        return Least(figure, _share(value, f"--fail-under {text}"), text)
    if figure not in POINTS:
        raise UserError(
            f"--fail-under {text}: no figure {figure!r} of a scored RUN; there are {', '.join((*POINTS, *SHARES))}"
        )
    try:
        points = float(value)
    except ValueError:
        points = -1.0
    if not 0 <= points <= 100:
        raise UserError(f"--fail-under {text}: write points from 0 to 100, such as {figure}=75")
    return Least(figure, points, text)


def _check_figure(figure: str, text: str) -> None:
    known = known_figures()
    if figure not in known:
        raise UserError(f"--fail-under {text}: no figure {figure!r}; near it are {_near(figure, known)}")


def _near(name: str, known: Sequence[str]) -> str:
    from rapidfuzz import process  # noqa: PLC0415  only for the message

    return ", ".join(one for one, _, _ in process.extract(name, known, limit=3))


def _most(text: str, *, gold: bool) -> Most:
    what, _, bound = text.partition("=")
    kind, colon, name = (part.strip() for part in what.partition(":"))
    known = tuple(one for one in COUNTED if (one in _GOLD_ONLY) == gold)
    if not colon or not name or kind not in known:
        what = "a gold run" if gold else "a scored RUN"
        raise UserError(
            f"--fail-on {text}: for {what} write KIND:NAME, such as {_EXAMPLES[known[0]]}; kinds: {', '.join(known)}"
        )
    _check_name(kind, name, text)
    share = bound.strip().endswith("%")
    try:
        most = _share(bound.strip(), "") if share else float(int(bound or "0"))
    except (ValueError, UserError) as error:
        raise UserError(f"--fail-on {text}: behind = goes a number of turns, or a share such as 2%") from error
    if most < 0:
        raise UserError(f"--fail-on {text}: behind = goes a number of turns, or a share such as 2%")
    return Most(kind, name, most, share, text)


_EXAMPLES = {"finding": "finding:S201", "bucket": "bucket:too_many_rows"}


def _check_name(kind: str, name: str, text: str) -> None:
    """Raise UserError for a name that no turn can have: a gate with a typing error would pass for ever."""
    from stef.findings import all_rules  # noqa: PLC0415  heavy
    from stef.records.assessment import Band  # noqa: PLC0415
    from stef.records.gold import Bucket  # noqa: PLC0415
    from stef.records.reasons import UnscoredReason  # noqa: PLC0415

    known: list[str] = {
        "finding": [rule.code for rule in all_rules()],
        "unscored": [one.value for one in UnscoredReason],
        "band": [one.value for one in Band],
        "bucket": [one.value for one in Bucket],
    }[kind]
    if name not in known:
        raise UserError(f"--fail-on {text}: no {kind} {name!r}; near it are {_near(name, known)}")


def _share(text: str, option: str) -> float:
    """A share: 5%, or 0.05. Raises UserError for anything else."""
    bare = text.strip()
    try:
        value = float(bare.removesuffix("%")) / (100 if bare.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise UserError(f"{option} {text}: write a share, such as 95% or 0.95".replace(f"{text} {text}", text))
    return value
