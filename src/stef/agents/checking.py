"""Does an agent's file still find what it reads? An extractor that silently finds nothing looks like a worse agent."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stef.agents.description import AgentFile, read_description
from stef.agents.extract import keys_of
from stef.agents.fields import READERS, RETRIEVED, NotReadableError, read_fields
from stef.agents.json_reply import parse_json
from stef.agents.paths import FieldPath, compared_with_a_field
from stef.agents.replies import TO_JUDGE
from stef.errors import InputError
from stef.records.asking import AgentReply
from stef.records.turn import Turn

_OUTCOMES = ("answered", "declined", "clarified", "failed")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class FieldFound:
    """One declared path: on how many of `of` replies it found a value, one such value, what did not fit."""

    field: str
    expression: str
    found: int
    of: int
    example: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ExtractorCheck:
    """What an agent's file found in recorded replies. `problems` is empty where every path still finds something."""

    file: Path
    replies: int
    fields: tuple[FieldFound, ...]
    problems: tuple[str, ...]

    def __str__(self) -> str:
        """A line for each path, then the problems."""
        width = max((len(one.field) for one in self.fields), default=0)
        count = len(str(self.replies))
        lines = [
            f"{one.field:<{width}}  {one.found:>{count}} of {one.of}  {one.expression}"
            + (f"  such as {one.example}" if one.example else "")
            for one in self.fields
        ]
        return "\n".join([f"{self.file}: {self.replies} recorded replies", *lines, *self.problems])


def check_extractor(
    agent_file: str | Path, recorded_replies: str | Path | Iterable[Any], *, retriever: bool = False
) -> ExtractorCheck:
    """On how many of the recorded replies each path of `agent_file` finds a value that can be read.

    `recorded_replies` is a folder of `.json` files, a `.json` or `.jsonl` file, or the replies themselves (values, or
    JSON as bytes). No server is asked, and no environment is needed. Raises AgentSetupError for a broken file, and
    InputError for replies that cannot be read.
    """
    file = read_description(agent_file, RETRIEVED if retriever else READERS)
    replies = list(_replies(recorded_replies))
    fields = tuple(_found(path, replies, file) for path in file.extract.paths)
    return ExtractorCheck(file.path, len(replies), fields, tuple(_problems(file, replies, fields, retriever)))


def assert_extractor(agent_file: str | Path, recorded_replies: str | Path | Iterable[Any], **options: bool) -> None:
    """As `check_extractor`, for a test: AssertionError that holds the whole table where there is any problem."""
    check = check_extractor(agent_file, recorded_replies, **options)
    if check.problems:
        raise AssertionError(str(check))


def empty_fields(replies: Iterable[AgentReply | Turn], reads: Iterable[str]) -> tuple[str, ...]:
    """The fields among `reads` (an Agent's) that held nothing on any turn of a run: most likely a path that broke.

    Turns that failed say nothing of the paths, and are passed over; without any other turn nothing is known: ().
    """
    open_fields = list(dict.fromkeys(reads))
    seen = False
    for reply in replies:
        turn = reply.turn if isinstance(reply, AgentReply) else reply
        if (isinstance(reply, AgentReply) and reply.fault is not None) or turn.outcome == "failed":
            continue
        seen = True
        open_fields = [name for name in open_fields if not _held(name, turn, reply)]
    return tuple(open_fields) if seen else ()


def leaks(offered_examples: Iterable[str], hide: Iterable[str]) -> int:
    """How many of the ids that were to be hidden came back all the same."""
    return len(set(offered_examples) & set(hide))


def _held(name: str, turn: Turn, reply: AgentReply | Turn) -> bool:
    if name == "examples":
        # A Turn alone does not say which examples were used.
        return bool(reply.offered_examples) if isinstance(reply, AgentReply) else True
    field = {"latency_ms": "latency", "columns": "rows"}.get(name, name)
    return getattr(turn, field) not in (None, "", (), {})


def _replies(recorded: str | Path | Iterable[Any]) -> Iterable[Any]:
    if not isinstance(recorded, str | Path):
        for number, reply in enumerate(recorded, start=1):
            yield _parsed(reply, f"reply {number}") if isinstance(reply, bytes) else reply
        return
    path = Path(recorded)
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    for file in files:
        try:
            raw = file.read_bytes()
        except OSError as error:
            raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error
        if file.suffix in (".jsonl", ".ndjson"):
            for number, line in enumerate(raw.split(b"\n"), start=1):
                if line.strip():
                    yield _parsed(line, f"{file}:{number}")
        else:
            yield _parsed(raw, str(file))


def _parsed(raw: bytes, where: str) -> Any:
    try:
        return parse_json(raw)
    except NotReadableError as error:
        raise InputError(f"{where}: {error}") from None


def _found(path: FieldPath, replies: list[Any], file: AgentFile) -> FieldFound:
    readers = READERS if path.field in READERS else RETRIEVED
    found, example, problem = 0, None, None
    for number, reply in enumerate(replies, start=1):
        try:
            value = path.find(reply)
            read = read_fields({path.field: value}, readers).get(path.field)
        except NotReadableError as error:
            problem = problem or f"{file.path}: response.{error} (reply {number})"
            continue
        if read not in (None, "", (), {}):
            found += 1
            example = example or _short(value)
    return FieldFound(path.field, path.expression, found, len(replies), example, problem)


def _problems(file: AgentFile, replies: list[Any], fields: tuple[FieldFound, ...], retriever: bool) -> Iterable[str]:
    if not replies:
        yield f"{file.path}: there are no recorded replies to check with"
        return
    if not fields:
        yield f"{file.path}: response: declares no path, so there is nothing to check"
    for one in fields:
        if one.problem:
            yield one.problem
        elif not one.found:
            nothing = f"nothing at {one.expression} in any of {one.of} replies"
            yield f"{file.path}: response.{one.field}: {nothing}{_why(one, replies)}"
        elif one.field in file.said.required and one.found < one.of:
            lack = f"is required, but {one.of - one.found} of {one.of} replies lack it"
            yield f"{file.path}: response.{one.field}: {lack}"
    if not retriever:
        yield from _unknown_outcomes(file, replies)
        if fields and not any(one.field in TO_JUDGE for one in fields):
            yield f"{file.path}: response: reads none of {', '.join(TO_JUDGE)}, so there is nothing to judge"


def _why(one: FieldFound, replies: list[Any]) -> str:
    if word := compared_with_a_field(one.expression):
        return f"; it compares with a field named {word}: a text is written '{word}'"
    return f"; the first reply holds {keys_of(replies[0])}"


def _unknown_outcomes(file: AgentFile, replies: list[Any]) -> Iterable[str]:
    """The agent's words for its outcome that mean nothing to stef."""
    path = next((one for one in file.extract.paths if one.field == "outcome"), None)
    words: dict[str, None] = {}
    for reply in replies if path else ():
        # A value that is no text was told of already.
        with suppress(NotReadableError):
            found = path.find(reply) if path else None
            words |= {} if found is None else {file.extract.outcome(found): None}
    for word in words:
        if word not in _OUTCOMES:
            yield f"{file.path}: outcomes: the agent says {word!r}; write what it means, one of {', '.join(_OUTCOMES)}"


def _short(value: Any) -> str:
    shown = repr(value[0] if isinstance(value, list) and value else value)
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
