"""What is said of an agent's file that is wrong, before any question is asked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from stef.agents import open_agent
from stef.agents.template import PLACES, TemplateError, fill, places, with_variables
from stef.errors import AgentSetupError
from stef.records.asking import AgentRequest

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "bad_descriptions.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_mistake_is_told(case: dict[str, Any], describe: Callable[..., Path]) -> None:
    """File, path inside it, what is wrong, and what is near."""
    file = describe(case["text"])
    with pytest.raises(AgentSetupError) as caught:
        open_agent(f"{case.get('kind', 'http')}:{file}")
    assert case["message"] in str(caught.value)


def test_file_that_is_not_there(tmp_path: Path) -> None:
    """Not a traceback."""
    with pytest.raises(AgentSetupError, match=r"absent\.yaml: cannot be read: No such file"):
        open_agent(f"http:{tmp_path}/absent.yaml")


def test_each_place_is_a_field_of_the_request() -> None:
    """A place that is alone keeps the type that the request has."""
    request = AgentRequest("q", "c1", "shop", "h", ("a",), ("b",))
    assert fill({name: f"{{{name}}}" for name in PLACES}, request) == {
        "question": "q",
        "database": "shop",
        "hint": "h",
        "hide": ["a"],
        "history": ["b"],
    }


def test_doubled_braces_are_braces() -> None:
    """GraphQL and prompts hold braces of their own."""
    text = "query {{ask}} {question} { sql }"
    assert fill(text, AgentRequest("q")) == "query {ask} q { sql }"
    assert places(text) == {"question"}


def test_variables_are_filled_in_once() -> None:
    """A value that looks like a variable is a value; a doubled sign is none."""
    environment = {"A": "${B}", "B": "secret"}
    filled, secrets = with_variables({"x": ["${A}", "$${B}", 1, None]}, environment)
    assert filled == {"x": ["${B}", "${B}", 1, None]}
    assert secrets.hidden("it was ${B}") == "it was ${A}"
    with pytest.raises(TemplateError, match=r"^x\[0\]: \$\{C\} is not set"):
        with_variables(["${C}"], environment, "x")


def test_variables_beside_places() -> None:
    """A value from the environment is never read as a template, whatever braces it holds."""
    text = "${A}/{question}/$${question}"
    assert places(text) == {"question"}
    filled, _ = with_variables(text, {"A": "{hint}{{x}}"}, has_places=True)
    assert fill(filled, AgentRequest("q", hint="h")) == "{hint}{{x}}/q/${question}"
