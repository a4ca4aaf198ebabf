"""An extractor that finds nothing is told of, in a test and in a run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from stef.agents import agent_of, assert_extractor, check_extractor, empty_fields, leaks, record_replies
from stef.errors import InputError
from stef.records.asking import AgentRequest

Describe = Callable[..., Path]
REPLIES: list[dict[str, Any]] = [
    {"tools": [{"name": "run_sql", "out": "SELECT 1"}], "answer": "one", "status": "answered"},
    {"tools": [], "answer": "I cannot tell.", "status": "declined"},
]
GOOD = """
response:
  sql: "tools[?name=='run_sql'].out"
  answer: answer
  outcome: status
"""


def problems(text: str, describe: Describe, replies: Any = REPLIES) -> tuple[str, ...]:
    return check_extractor(describe(text, url="http://localhost/"), replies).problems


def test_good_file(describe: Describe) -> None:
    """A path that finds something on some replies is fine; the table says on how many, and what."""
    file = describe(GOOD, url="http://localhost/")
    check = check_extractor(file, REPLIES)
    assert check.problems == ()
    assert [(one.field, one.found, one.of) for one in check.fields] == [
        ("sql", 1, 2),
        ("answer", 2, 2),
        ("outcome", 2, 2),
    ]
    assert str(check).splitlines()[1] == "sql      1 of 2  tools[?name=='run_sql'].out  such as 'SELECT 1'"
    assert_extractor(file, REPLIES)


def test_renamed_tool_is_an_error_that_names_the_path(describe: Describe) -> None:
    """The agent's tool was renamed: no reply holds SQL any more, and it is not the agent that is worse."""
    file = describe(GOOD.replace("run_sql", "execute"), url="http://localhost/")
    with pytest.raises(AssertionError) as caught:
        assert_extractor(file, REPLIES)
    told = str(caught.value).splitlines()[-1]
    assert told == (
        f"{file}: response.sql: nothing at tools[?name=='execute'].out in any of 2 replies; "
        "the first reply holds the keys tools, answer, status"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('response: {sql: "tools[?name==run_sql].out"}', "a text is written 'run_sql'"),
        ("response: {sql: tools}", "response.sql: expected text, found an object (reply 1)"),
        ('response: {answer: answer, sql: "tools[0].out"}\nrequired: [sql]', "is required, but 1 of 2 replies lack it"),
        ('response: {tables_offered: "tools[].name"}', "reads none of sql, answer, outcome"),
        ("response: {}", "declares no path"),
        ("response: {outcome: answer}", "the agent says 'one'; write what it means, one of answered, declined"),
    ],
)
def test_what_else_is_told(text: str, message: str, describe: Describe) -> None:
    """Everything that would make a run's numbers mean something else."""
    assert [one for one in problems(text, describe) if message in one]


def test_outcomes_that_are_mapped_are_known(describe: Describe) -> None:
    """The agent's own words, once mapped, are no problem."""
    text = 'response: {outcome: status}\noutcomes: {OK: answered, "NO": declined}'
    assert problems(text, describe, [{"status": "OK"}, {"status": "NO"}]) == ()
    assert "the agent says 'MAYBE'" in problems(text, describe, [{"status": "MAYBE"}])[0]


def test_replies_from_files(describe: Describe, tmp_path: Path) -> None:
    """A folder of JSON files, one file, or a JSONL file."""
    file = describe(GOOD, url="http://localhost/")
    folder = tmp_path / "replies"
    folder.mkdir()
    for number, reply in enumerate(REPLIES):
        (folder / f"{number}.json").write_text(json.dumps(reply), "utf-8")
    (tmp_path / "all.jsonl").write_text("\n".join(map(json.dumps, REPLIES)), "utf-8")
    assert check_extractor(file, folder).replies == 2
    assert check_extractor(file, folder / "0.json").replies == 1
    assert check_extractor(file, str(tmp_path / "all.jsonl")).replies == 2
    (folder / "2.json").write_text("<html>", "utf-8")
    with pytest.raises(InputError, match=r"2\.json: the reply is an HTML page"):
        check_extractor(file, folder)


def test_no_replies_prove_nothing(describe: Describe, tmp_path: Path) -> None:
    """An empty folder is a problem, and no green test."""
    (tmp_path / "replies").mkdir()
    assert "no recorded replies" in problems(GOOD, describe, tmp_path / "replies")[0]


def test_recorded_replies_serve_the_check(describe: Describe, httpserver: HTTPServer, tmp_path: Path) -> None:
    """What a live agent says is kept as it came; a failed question is told of."""
    for reply in REPLIES:
        httpserver.expect_ordered_request("/ask").respond_with_json(reply)
    httpserver.expect_ordered_request("/ask").respond_with_data("no", 500)
    file = describe(GOOD, url=httpserver.url_for("/ask"))
    faults = record_replies(file, ["a", "b", AgentRequest("c")], tmp_path / "replies.jsonl")
    assert faults == ("c: HTTP 500: no",)
    assert_extractor(file, tmp_path / "replies.jsonl")


def test_retrievers_file_is_checked_too(describe: Describe) -> None:
    """Its fields are `ddl` and `examples`."""
    file = describe('response: {ddl: "hits[].ddl", examples: "hits[].id"}', url="http://localhost/")
    check = check_extractor(file, [{"hits": [{"ddl": "CREATE TABLE a (i INT)"}]}], retriever=True)
    assert [one.partition("response.")[2].partition(":")[0] for one in check.problems] == ["examples"]


def test_fields_empty_on_a_whole_run() -> None:
    """A field that held nothing on any turn is named; failed turns say nothing of it."""
    agent = agent_of(lambda question: {"answer": "a", "tables_offered": [], "examples": ["x"]} if question else None)
    replies = [agent.ask(AgentRequest(question)) for question in ("a", "b", "")]
    reads = ("sql", "answer", "tables_offered", "examples", "latency_ms")
    assert empty_fields(replies, reads) == ("sql", "tables_offered")
    assert empty_fields([reply.turn for reply in replies], reads) == ("sql", "tables_offered")
    assert empty_fields(replies[2:], reads) == ()
    assert empty_fields([], reads) == ()


def test_leaks_are_hidden_ids_that_came_back() -> None:
    """Each id counts once."""
    assert leaks(["a", "b", "a", "d"], ("a", "c")) == 1
    assert leaks([], ("a",)) == 0
