"""An Assessment as JSON text, and back."""

from functools import lru_cache
from typing import TYPE_CHECKING

from stef.records.assessment import Assessment

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@lru_cache(maxsize=1)
def _adapter() -> "TypeAdapter[Assessment]":
    from pydantic import TypeAdapter  # noqa: PLC0415  # building the schema takes time that `stef --help` has no use for

    return TypeAdapter(Assessment)


def assessment_to_json(assessment: Assessment) -> str:
    """The full record as one line of JSON."""
    return _adapter().dump_json(assessment).decode()


def assessment_from_json(text: str) -> Assessment:
    """The record that `assessment_to_json` wrote. Raises ValueError on anything else."""
    return _adapter().validate_json(text)
