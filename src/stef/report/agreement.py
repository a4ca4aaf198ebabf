"""`stef agree --html`: the page of a RUN against labels."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from stef.report.curves import reliability_svg, roc_svg
from stef.report.filters import FILTERS, seen
from stef.report.wording import WORDING

_TEMPLATE = "agreement.html.jinja"


def agreement_page(document: Mapping[str, Any]) -> str:
    """The page, in one piece, from what `stef agree --json` prints. Text of turns and labels is shown, never obeyed."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415  heavy
    from markupsafe import Markup  # noqa: PLC0415

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=seen
    )
    environment.filters.update(FILTERS)
    template = environment.from_string(files("stef.report").joinpath(_TEMPLATE).read_text(encoding="utf-8"))
    return template.render(
        **document,
        wording={name.value: said for name, said in WORDING.items()},
        # Made of numbers alone, so that it may stand as it is.
        reliability=Markup(reliability_svg(document["overall"]["reliability"])),  # noqa: S704
        roc_curve=Markup(roc_svg(document["roc"])),  # noqa: S704
    )
