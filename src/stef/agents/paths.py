"""Where a field stands in a reply: JMESPath expressions, and `from_json` for JSON that is packed into a text."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from stef.agents.fields import NotReadableError


class PathError(ValueError):
    """An expression that is none; the message says where it breaks."""


@dataclass(frozen=True, slots=True)
class FieldPath:
    """One field of a reply, and the expression that finds it."""

    field: str
    expression: str

    def find(self, reply: Any) -> Any:
        """What the expression finds, None where nothing is; an empty list is nothing too. Raises NotReadableError."""
        from jmespath.exceptions import JMESPathError  # noqa: PLC0415  # only where a reply is described

        try:
            found = _compiled(self.expression).search(reply, _options())
        except JMESPathError as error:
            raise NotReadableError(f"{self.field}: {self.expression}: {_said(error)}") from None
        return None if found in ([], {}) else found


def field_path(field: str, expression: str) -> FieldPath:
    """The path; PathError where `expression` is not JMESPath."""
    from jmespath.exceptions import JMESPathError  # noqa: PLC0415

    try:
        _compiled(expression)
    except JMESPathError as error:
        raise PathError(f"not a JMESPath expression: {_said(error)}") from None
    return FieldPath(field, expression)


def compared_with_a_field(expression: str) -> str | None:
    """A bare word that a filter compares with (`[?role==tool]`): most likely a text that lacks its quotes."""
    return _bare_word(_compiled(expression).parsed)


def _bare_word(node: Mapping[str, Any]) -> str | None:
    children = node["children"]
    if node["type"] == "comparator" and node["value"] in ("eq", "ne"):
        left, right = children
        if left["type"] in ("field", "subexpression") and right["type"] == "field":
            return str(right["value"])
    return next((word for child in children if isinstance(child, dict) and (word := _bare_word(child))), None)


def _said(error: Exception) -> str:
    lines = [line.strip(' "') for line in str(error).splitlines() if line.strip(' "^')]
    return " ".join(lines)[:200]


@lru_cache(maxsize=512)
def _compiled(expression: str) -> Any:
    import jmespath  # noqa: PLC0415

    return jmespath.compile(expression)


@lru_cache(maxsize=1)
def _options() -> Any:
    import jmespath  # noqa: PLC0415
    from jmespath import functions  # noqa: PLC0415

    class WithJson(functions.Functions):
        """JMESPath's own functions, and `from_json`: arguments of tool calls are JSON in a text."""

        @functions.signature({"types": ["string", "null", "object", "array"]})
        def _func_from_json(self, text: Any) -> Any:
            if not isinstance(text, str):
                return text
            try:
                return json.loads(text)
            except (ValueError, RecursionError):
                return None

    return jmespath.Options(custom_functions=WithJson())
