"""Replies kept as they came, for the test that an agent's file still finds what it reads."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from stef.agents.command import CommandCaller, described_line, printed_json
from stef.agents.description import HttpDescription, read_description
from stef.agents.fields import READERS, RETRIEVED, NotReadableError
from stef.agents.http import HttpCaller
from stef.agents.replies import AskFailedError
from stef.records.asking import AgentRequest


def record_replies(
    agent_file: str | Path,
    questions: Iterable[str | AgentRequest],
    to: str | Path,
    *,
    environment: Mapping[str, str] | None = None,
    retriever: bool = False,
) -> tuple[str, ...]:
    """Ask each question, and write what came back, a JSON value a line, to the file `to` (anew each time).

    Returns what went wrong, a line for each question without a reply. Raises AgentSetupError.
    """
    file = read_description(agent_file, RETRIEVED if retriever else READERS)
    if isinstance(file.said, HttpDescription):
        caller: HttpCaller | CommandCaller = HttpCaller(file, environment or {})
    else:
        line, request = described_line(file, environment or {})
        caller = CommandCaller(line, request)
    faults = []
    try:
        with Path(to).open("w", encoding="utf-8") as out:
            for question in questions:
                asked = AgentRequest(question) if isinstance(question, str) else question
                try:
                    given = caller.call(asked)
                    value = printed_json(given) if isinstance(given, bytes) else given
                except (AskFailedError, NotReadableError) as error:
                    faults.append(f"{asked.question}: {error}")
                    continue
                out.write(json.dumps(value, ensure_ascii=False) + "\n")
    finally:
        caller.close()
    return tuple(faults)
