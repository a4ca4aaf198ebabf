"""What all models of a rules file share."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema


class Closed(BaseModel):
    """A frozen model without unknown keys and without NaN or infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def _one_or_many(value: object) -> object:
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


Text = Annotated[str, Field(min_length=1, pattern=r"\S")]
"""Text that is not blank."""

Texts = Annotated[
    tuple[Text, ...],
    BeforeValidator(_one_or_many),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]
"""Several texts; a single string stands for a list of one."""


def never_rises(values: Iterable[float]) -> bool:
    """Whether no value is higher than the one before it."""
    return all(after <= before for before, after in pairwise(values))
