"""The JSON Schema of a rules file."""

from typing import Any

from stef.rules.model import AppRules


def rules_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a rules file, for editors and other checkers."""
    schema = AppRules.model_json_schema(mode="validation")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "stef application rules"
    schema["properties"]["$schema"] = {"type": "string", "description": "Where this schema lies, for an editor"}
    return schema
