"""What is said of an agent's file that is wrong, before any question is asked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.agents import open_agent
from stef.agents.description import read_description
from stef.agents.fields import READERS
from stef.agents.template import PLACES, TemplateError, fill, fill_url, places, with_variables
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


def test_words_and_dates_are_text(describe: Callable[..., Path]) -> None:
    """YAML's older rules take `NO` for false, a date for a moment, and version 8.10 for 8.1."""
    text = """
version: 8.10
request: {q: "{question}", since: 2024-01-01, version: 8}
response: {outcome: a}
outcomes: {NO: declined, on: answered}
"""
    said = read_description(describe(text, url="http://localhost/"), READERS).said
    assert said.outcomes == {"NO": "declined", "on": "answered"}
    assert (said.version, said.request["since"], said.request["version"]) == ("8.10", "2024-01-01", 8)


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


@given(st.text())
def test_question_comes_through_as_it_is(question: str) -> None:
    """No text is read as a template, in whatever place it stands."""
    request = AgentRequest(question, hint="h")
    assert fill({"q": "{question}", "t": ["{{ {question} }}"]}, request) == {
        "q": question,
        "t": ["{ " + question + " }"],
    }
    assert unquote(fill_url("http://a/{question}", request)) == f"http://a/{question}"


def test_variables_beside_places() -> None:
    """A value from the environment is never read as a template, whatever braces it holds."""
    text = "${A}/{question}/$${question}"
    assert places(text) == {"question"}
    filled, _ = with_variables(text, {"A": "{hint}{{x}}"}, has_places=True)
    assert fill(filled, AgentRequest("q", hint="h")) == "{hint}{{x}}/q/${question}"
