"""The JSON Schema of a rules file."""

from typing import Any

from stef.rules.model import AppRules

_CLOSED_TO_NULL = ("FilterRule", "Example")
"""What stands in lists: nothing is inherited there, so null has no meaning."""


def rules_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a rules file, for editors and other checkers."""
    schema = AppRules.model_json_schema(mode="validation")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "stef application rules"
    for name, part in (("", schema), *schema["$defs"].items()):
        if "properties" in part and name not in _CLOSED_TO_NULL:
            part["properties"] = {key: _nullable(value) for key, value in part["properties"].items()}
    schema["properties"]["$schema"] = {"type": "string", "description": "Where this schema lies, for an editor"}
    return schema


def _nullable(value: dict[str, Any]) -> dict[str, Any]:
    """The same, or null, which takes back what was inherited."""
    kept: dict[str, Any] = {key: value[key] for key in ("title", "description", "default") if key in value}
    rest = {key: item for key, item in value.items() if key not in kept}
    if isinstance(rest.get("additionalProperties"), dict):
        rest["additionalProperties"] = _nullable(rest["additionalProperties"])
    if "patternProperties" in rest:
        rest["patternProperties"] = {key: _nullable(item) for key, item in rest["patternProperties"].items()}
    options = rest["anyOf"] if set(rest) == {"anyOf"} else [rest]
    return {**kept, "anyOf": options if {"type": "null"} in options else [*options, {"type": "null"}]}
