"""A comparison as one JSON document."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from stef.runs.compare.words import headline, small_sample

if TYPE_CHECKING:
    from stef.runs.compare import CompareOptions, Comparison


def comparison_document(found: "Comparison", options: "CompareOptions", failed: list[str] | None) -> dict[str, Any]:
    """Everything that was found. `gate` is null where the user set none; figures are in points, 0 to 100."""
    return {
        "headline": headline(found),
        "small_sample": small_sample(found),
        "gate": None if failed is None else {"passed": not failed, "failures": failed},
        "settings": {
            "by": options.by,
            "pick": list(options.pick),
            "key": options.key,
            "correction": "Holm, within slices, findings and other figures",
        },
        **asdict(found),
    }
