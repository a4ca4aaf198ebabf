"""`stef agree --html`: the page of a RUN against labels."""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from stef.report.curves import reliability_svg, roc_svg
from stef.report.wording import SHARES, WORDING

_TEMPLATE = "agreement.html.jinja"
# Control characters and marks that turn the direction of text: they would show other text than there is.
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def agreement_page(document: Mapping[str, Any]) -> str:
    """The page, in one piece, from what `stef agree --json` prints. Text of turns and labels is shown, never obeyed."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415  heavy
    from markupsafe import Markup  # noqa: PLC0415

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_seen
    )
    environment.filters.update(figure=_figure, range=_range, percent=_percent)
    template = environment.from_string(files("stef.report").joinpath(_TEMPLATE).read_text(encoding="utf-8"))
    return template.render(
        **document,
        wording={name.value: said for name, said in WORDING.items()},
        # Made of numbers alone, so that it may stand as it is.
        reliability=Markup(reliability_svg(document["overall"]["reliability"])),  # noqa: S704
        roc_curve=Markup(roc_svg(document["roc"])),  # noqa: S704
    )


def _seen(value: object) -> object:
    return value if hasattr(value, "__html__") or not isinstance(value, str) else _UNSEEN.sub("\ufffd", value)


def _figure(estimate: Mapping[str, Any], name: str) -> str:
    value = estimate["value"]
    if value is None:
        return "–"
    return _percent(value) if _is_share(name) else f"{value:.3f}"


def _range(estimate: Mapping[str, Any], name: str) -> str:
    found = estimate["interval"]
    if found is None:
        return ""
    low, high = found
    return f"{low * 100:.1f} to {high * 100:.1f}" if _is_share(name) else f"{low:.3f} to {high:.3f}"


def _is_share(name: str) -> bool:
    return name in SHARES


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value * 100:.1f} %"
