"""Equal results or equal queries: what altered copies of the database say, for people."""

from typing import TYPE_CHECKING, Any

from stef.cli.screen import Grid, count, one_line, percent, show

if TYPE_CHECKING:
    from stef.gold.reading import Overview
    from stef.records.gold import Coincidence

_TITLE = "Right by coincidence: right turns once more, on altered copies of the database"


def show_coincidences(overview: "Overview") -> None:
    """Print, agent by agent, how many right turns the copies tell from the gold; nothing where none were made."""
    rows = [
        [
            one_line(one.agent or "–", 40),
            f"{one.looked_at:,}",
            f"{one.told_apart:,}",
            percent(one.told_apart / one.looked_at if one.looked_at else None),
            f"{one.only_nulls:,}",
            f"{one.open:,}",
            f"{one.not_available:,}",
        ]
        for one in overview.coincidences
    ]
    if rows:
        show()
        headers = ["agent", "looked at", "told apart", "share", "only by NULLs", "open", "not available"]
        Grid(headers, rows, frozenset({"agent"}), _TITLE).show()


def show_coincidence(found: "Coincidence") -> None:
    """Print what the copies say of one pair of queries."""
    for line in coincidence_lines(found):
        show(line)


def coincidence_lines(found: "Coincidence") -> list[str]:
    """What the copies say of one pair, in words."""
    from stef.records.gold import Apart  # noqa: PLC0415  heavy

    copies = count(found.looked_at, "altered copy", "altered copies")
    match found.apart:
        case Apart.TOLD_APART:
            lines = [f"Altered copies: different queries: told apart on {len(found.on)} of {copies}"]
            lines += [f"  {one}" for one in found.on]
            if found.first is not None:
                lines.append(f"  on the first of these the gold gives {found.first[0]}, the query {found.first[1]}")
            return lines
        case Apart.SAME:
            return [f"Altered copies: the same answer on {copies}; that proves nothing, but the data matters little"]
        case Apart.OPEN:
            return [f"Altered copies: none of {found.copies} says anything: the gold is empty, or fails, on all"]
        case Apart.NOT_AVAILABLE:
            return [f"Altered copies: not available here: {one_line(found.why, 200)}"]


def coincidence_document(found: "Coincidence | None") -> dict[str, Any] | None:
    """The same as plain data; None where no copies were asked for."""
    if found is None:
        return None
    return {
        "apart": found.apart.value,
        "on": list(found.on),
        "looked_at": found.looked_at,
        "copies": found.copies,
        "first": list(found.first) if found.first else None,
        "why": found.why,
    }
