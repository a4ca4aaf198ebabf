"""A gold and a candidate side by side, as JSON."""

from typing import TYPE_CHECKING, Any

from stef.cli.render_pair import result_of
from stef.gold.sidebyside import RowPair, beside_each_other
from stef.records.result import Failure

if TYPE_CHECKING:
    from stef.gold.sides import Ran
    from stef.records.case import Tolerance
    from stef.runs.gold.pair import Pair

_JSON_ROWS = 100


def pair_document(pair: "Pair", tolerance: "Tolerance") -> dict[str, Any]:
    """The pair as JSON: both queries, the first rows of both results, what stands beside what, the components."""
    from stef.gold.member_words import differences  # noqa: PLC0415  heavy

    gold, candidate, output = result_of(pair.gold), result_of(pair.candidate), pair.report.output
    lines: tuple[RowPair, ...] = ()
    if gold is not None and candidate is not None and output is not None:
        lines = beside_each_other(gold, candidate, output.pairs, output.key, tolerance)[:_JSON_ROWS]
    named: dict[str, Any] = {}
    if pair.gold is not None and pair.gold.resolved is not None and pair.report.components is not None:
        found = differences(pair.gold.resolved, pair.candidate.resolved if pair.candidate else None)
        named = {one.name: {"missing": list(one.missing), "extra": list(one.extra)} for one in found}
    return {
        "gold": _side_document(pair.gold),
        "candidate": _side_document(pair.candidate),
        "rows": [
            {"beside": one.beside, "gold": one.reference, "candidate": one.candidate, "differs": list(one.differs)}
            for one in lines
        ],
        "component_members": named,
    }


def _side_document(ran: "Ran | None") -> dict[str, Any] | None:
    if ran is None:
        return None
    executed = ran.executed
    if isinstance(executed, Failure):
        failure = {"kind": executed.kind.value, "message": executed.message, "near": list(executed.near)}
        return {"sql": ran.sql, "failure": failure}
    first = min(executed.rows, _JSON_ROWS)
    rows = [[_json_cell(column[index]) for column in executed.columns] for index in range(first)]
    return {
        "sql": ran.sql,
        "names": list(executed.names),
        "rows": executed.rows,
        "cut": executed.cut and executed.cut.value,
        "seconds": executed.seconds,
        "first_rows": rows,
    }


def _json_cell(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    return str(value)
