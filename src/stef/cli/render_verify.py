"""What a verification says: for people, answer by answer where something speaks against one, and as plain data."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stef.cli.screen import Grid, count, harmless, number, one_line, show

if TYPE_CHECKING:
    from stef.records.turn import Turn
    from stef.runs.verify.job import Verified
    from stef.verify import Means, Verification

_OUTCOMES = ("supported", "unopposed", "doubtful", "refuted", "unknown")
_SHOWN = ("doubtful", "refuted", "unknown")
_MOST_SHOWN = 20


def document(verified: "Verified", rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A verification as plain data; each turn with its whole record."""
    return {
        "path": None if verified.path is None else str(verified.path),
        "already_complete": verified.already,
        "counts": {**verified.about.get("counts", {}), "outcomes": _counts(rows)},
        "rungs": rung_facts(rows),
        "signs": dict(_signs(rows)),
        "bad_lines": verified.about.get("bad_lines", []),
        "calls": verified.about.get("calls"),
        "turns": [
            {
                "row": row["row"],
                "id": row["id"],
                "place": row["place"],
                "agent": row["agent"],
                "agent_version": row["agent_version"],
                "question": row["question"],
                "database": row["database"],
                "score": row["score"],
                "verification": json.loads(row["verification"]),
            }
            for row in rows
        ],
    }


def rung_facts(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By rung: on how many answers it was climbed, what it made of them, its seconds, calls and cost."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        for rung in json.loads(row["verification"])["rungs"]:
            facts = found.setdefault(
                rung["rung"], {"climbed": 0, "stands": Counter(), "seconds": 0.0, "calls": 0, "cost": 0.0}
            )
            facts["climbed"] += 1
            facts["stands"][rung["stand"]] += 1
            facts["seconds"] += rung["seconds"]
            facts["calls"] += rung["calls"]
            known = facts["cost"] is not None and rung["cost"] is not None
            facts["cost"] = facts["cost"] + rung["cost"] if known else None
    for facts in found.values():
        facts["stands"] = dict(facts["stands"])
        facts["seconds"] = round(facts["seconds"], 3)
    return found


def show_verified(verified: "Verified", rows: Sequence[Mapping[str, Any]], means: "Means") -> None:
    """Print the answers that something speaks against, the counts, and what each rung took."""
    shown = [row for row in rows if row["outcome"] in _SHOWN or row["unsupported"]]
    for row in shown[:_MOST_SHOWN]:
        _show_row(row)
    if len(shown) > _MOST_SHOWN:
        where = f"{harmless(str(verified.path))}/checks" if verified.path else "--json"
        show(f"… and {len(shown) - _MOST_SHOWN:,} more ({where} has them all)")
    _show_counts(rows)
    if means.client is None and means.agent is None:
        show("No model and no agent was given, so the last two rungs were not climbed (--judge, --agent).")
    if verified.path is not None:
        show(f"Written to {harmless(str(verified.path))}")


def _show_row(row: Mapping[str, Any]) -> None:
    p = "" if row["p"] is None else f" (p = {row['p']:.2f})"
    score = "" if row["score"] is None else f" · score {row['score']:.0f}"
    agent = "" if row["agent"] is None else f" · {one_line(row['agent'], 40)}"
    show(f"{row['outcome'].upper():<9} {one_line(row['id'], 60)}{agent}{score}{p} · {one_line(row['question'], 100)}")
    found = json.loads(row["verification"])
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


def _show_counts(rows: Sequence[Mapping[str, Any]]) -> None:
    counts = _counts(rows)
    by_agent: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_agent.setdefault(" ".join(filter(None, (row["agent"], row["agent_version"]))) or "–", []).append(row)
    table = [[one_line(name, 40), f"{len(own):,}", *_cells(own)] for name, own in by_agent.items()]
    if len(table) > 1:
        table.append(["all", f"{len(rows):,}", *(f"{counts[name]:,}" for name in _OUTCOMES), _unsupported(rows)])
    show()
    Grid(["agent", "answers", *_OUTCOMES, "wording loose"], table, frozenset({"agent"}), keys=1).show()
    facts = rung_facts(rows)
    if facts:
        show()
        Grid(
            ["rung", "climbed", "for", "neutral", "against", "nothing", "seconds", "calls", "cost $"],
            [_rung_row(name, one) for name, one in facts.items()],
            frozenset({"rung"}),
        ).show()
    signs = _signs(rows)
    if signs:
        show("Signs: " + ", ".join(f"{name} {n:,}" for name, n in signs.most_common()))


def _cells(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    counts = _counts(rows)
    return [*(f"{counts[name]:,}" for name in _OUTCOMES), _unsupported(rows)]


def _unsupported(rows: Sequence[Mapping[str, Any]]) -> str:
    checked = [row for row in rows if row["claims"] is not None]
    return f"{sum(bool(row['unsupported']) for row in checked):,} of {len(checked):,}" if checked else "–"


def _rung_row(name: str, facts: Mapping[str, Any]) -> list[str]:
    stands = facts["stands"]
    cost = number(facts["cost"], 4) if facts["calls"] else "–"
    said = [f"{stands.get(stand, 0):,}" for stand in ("for", "neutral", "against", "nothing")]
    return [name, f"{facts['climbed']:,}", *said, f"{facts['seconds']:.2f}", f"{facts['calls']:,}", cost]


def _counts(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    counts = Counter(row["outcome"] for row in rows)
    return {name: counts[name] for name in _OUTCOMES}


def _signs(rows: Sequence[Mapping[str, Any]]) -> Counter[str]:
    return Counter(code for row in rows for code in dict.fromkeys(row["signs"]))


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
