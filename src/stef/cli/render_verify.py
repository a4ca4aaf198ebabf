"""What a verification says: for people, answer by answer where something speaks against one, and as plain data."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stef.cli.screen import Grid, count, harmless, number, one_line, show
from stef.cli.verify_counts import OUTCOMES, Counts, OfAgent, OfRung

if TYPE_CHECKING:
    from stef.records.turn import Turn
    from stef.runs.verify.job import Verified
    from stef.verify import Means, Verification

_SHOWN = ("doubtful", "refuted", "unknown")
_MOST_SHOWN = 20
_OF_TURN = ("row", "id", "place", "agent", "agent_version", "question", "database", "score")


def document(verified: "Verified") -> tuple[dict[str, Any], Counts]:
    """A verification as plain data, each turn with its whole record; and what was counted."""
    counts = Counts()
    turns = [{**{name: row[name] for name in _OF_TURN}, "verification": counts.add(row)} for row in verified.rows()]
    found = {
        "path": None if verified.path is None else str(verified.path),
        "already_complete": verified.already,
        "counts": {**verified.about.get("counts", {}), "outcomes": counts.outcomes},
        "rungs": {name: rung.to_json() for name, rung in counts.rungs.items()},
        "signs": dict(counts.signs),
        "bad_lines": verified.about.get("bad_lines", []),
        "calls": verified.about.get("calls"),
        "turns": turns,
    }
    return found, counts


def show_verified(verified: "Verified", means: "Means") -> Counts:
    """Print the answers that something speaks against, the counts, and what each rung took; what was counted."""
    counts, against = Counts(), 0
    for row in verified.rows():
        record = counts.add(row)
        if row["outcome"] in _SHOWN or row["unsupported"]:
            against += 1
            if against <= _MOST_SHOWN:
                _show_row(row, record)
    if against > _MOST_SHOWN:
        where = f"{harmless(str(verified.path))}/checks" if verified.path else "--json"
        show(f"… and {against - _MOST_SHOWN:,} more ({where} has them all)")
    _show_counts(counts)
    if means.client is None and means.agent is None:
        show("No model and no agent was given, so the last two rungs were not climbed (--judge, --agent).")
    if verified.path is not None:
        show(f"Written to {harmless(str(verified.path))}")
    return counts


def _show_row(row: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    p = "" if row["p"] is None else f" (p = {row['p']:.2f})"
    score = "" if row["score"] is None else f" · score {row['score']:.0f}"
    agent = "" if row["agent"] is None else f" · {one_line(row['agent'], 40)}"
    show(f"{row['outcome'].upper():<9} {one_line(row['id'], 60)}{agent}{score}{p} · {one_line(row['question'], 100)}")
    for rung in found["rungs"]:
        _show_rung(rung)
    if found["reason"]:
        show(f"    {one_line(found['reason'], 300)}")
    _show_wording(found["wording"])


def _show_rung(rung: Mapping[str, Any]) -> None:
    signs = [sign for sign in rung["signs"] if rung["stand"] != "neutral"]
    if rung["stand"] != "neutral" and rung["detail"] and not signs:
        show(f"    {rung['rung']}: {one_line(rung['detail'], 300)}")
    for sign in signs:
        show(f"    {rung['rung']}: {sign['code']}: {one_line(sign['message'], 400)}")
        if sign["way_out"]:
            show(f"        {one_line(sign['way_out'], 300)}")


def _show_wording(wording: Mapping[str, Any] | None) -> None:
    if wording is None:
        return
    loose = [claim for claim in wording["claims"] if claim["ground"] == "nothing"]
    for claim in loose:
        show(f"    wording: {claim['kind']} {one_line(claim['text'], 80)!r} stands on nothing in the rows")


def _show_counts(counts: Counts) -> None:
    table = [[one_line(name, 40), *_cells(agent)] for name, agent in counts.agents.items()]
    if len(table) > 1:
        table.append(["all", *_cells(counts.all)])
    show()
    Grid(["agent", "answers", *OUTCOMES, "wording loose"], table, frozenset({"agent"}), keys=1).show()
    if counts.rungs:
        show()
        Grid(
            ["rung", "climbed", "for", "neutral", "against", "nothing", "seconds", "calls", "cost $"],
            [_rung_row(name, rung) for name, rung in counts.rungs.items()],
            frozenset({"rung"}),
        ).show()
    if counts.signs:
        show("Signs: " + ", ".join(f"{name} {n:,}" for name, n in counts.signs.most_common()))


def _cells(agent: OfAgent) -> list[str]:
    loose = f"{agent.loose:,} of {agent.checked:,}" if agent.checked else "–"
    return [f"{agent.outcomes.total():,}", *(f"{agent.outcomes[name]:,}" for name in OUTCOMES), loose]


def _rung_row(name: str, rung: OfRung) -> list[str]:
    cost = number(rung.cost, 4) if rung.calls else "–"
    said = [f"{rung.stands[stand]:,}" for stand in ("for", "neutral", "against", "nothing")]
    return [name, f"{rung.climbed:,}", *said, f"{rung.seconds:.2f}", f"{rung.calls:,}", cost]


def show_one(turn: "Turn", found: "Verification") -> None:
    """Print all that is known of one answer, rung by rung."""
    show(f"question  {one_line(turn.question, 300)}")
    show(f"sql       {one_line(found.sql or turn.sql or '', 1_000)}")
    p = "" if found.p is None else f" (p = {found.p:.2f})"
    show(f"outcome   {found.outcome.value}{p}{'; ' + one_line(found.reason, 300) if found.reason else ''}")
    for rung in found.to_json()["rungs"]:
        cost = "" if not rung["calls"] else f", {count(rung['calls'], 'call')}, cost ${number(rung['cost'], 4)}"
        show(f"  {rung['rung']:<17} {rung['stand']:<8} {one_line(rung['detail'], 300)} [{rung['seconds']:.3f} s{cost}]")
        for sign in rung["signs"]:
            show(f"      {sign['code']}: {one_line(sign['message'], 400)}")
            if sign["way_out"]:
                show(f"          {one_line(sign['way_out'], 300)}")
    for rung_name, why in found.left_out.items():
        show(f"  {rung_name.value:<17} not climbed: {one_line(why, 200)}")
    if found.wording is not None:
        _show_claims(found)
    if found.repair is not None:
        show("Repair message:")
        for line in found.repair.message.splitlines():
            show(f"  {one_line(line, 500)}")


def _show_claims(found: "Verification") -> None:
    wording = found.wording
    if wording is None:
        return
    show(f"wording   {'not checked: ' + wording.why if not wording.checked else count(len(wording.claims), 'claim')}")
    for claim in wording.claims:
        how = f": {one_line(claim.how, 200)}" if claim.how else ""
        show(f"  {claim.ground.value:<9} {claim.kind.value:<7} {one_line(claim.text, 80)}{how}")
