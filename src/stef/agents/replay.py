"""Answers already given, as agents: a log of turns, one agent for each that it names."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError

from stef.agents.fields import NotReadableError, ids
from stef.agents.replies import AskFailedError, Identity, failed
from stef.errors import InputError
from stef.records.asking import AgentFault, AgentReply, AgentRequest
from stef.records.turn import Turn

_SHOWN = 5
_BESIDE_A_TURN = frozenset({"case_id", "examples"})

Question: TypeAlias = tuple[str | None, str]
"""The database and the question, spaces normalised."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One line of the log: the turn, the case it answers where the line says so, the examples that were used."""

    turn: Turn
    case_id: str | None = None
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplayAgent:
    """One agent of a log. `recorded` are its turns in the log's order; `unknown` counts the log's other fields."""

    name: str
    version: str | None
    recorded: tuple[Recorded, ...]
    unknown: Mapping[str, int] = field(default_factory=dict)
    _by_case: Mapping[str, list[Recorded]] = field(init=False, repr=False, default_factory=dict)
    _by_question: Mapping[Question, list[Recorded]] = field(init=False, repr=False, default_factory=dict)
    _by_words: Mapping[str, list[Recorded]] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        by_case: dict[str, list[Recorded]] = {}
        by_question: dict[Question, list[Recorded]] = {}
        by_words: dict[str, list[Recorded]] = {}
        for one in self.recorded:
            words = normalised(one.turn.question)
            if one.case_id is not None:
                by_case.setdefault(one.case_id, []).append(one)
            by_question.setdefault((one.turn.database, words), []).append(one)
            by_words.setdefault(words, []).append(one)
        for name, index in (("_by_case", by_case), ("_by_question", by_question), ("_by_words", by_words)):
            object.__setattr__(self, name, index)

    @property
    def can_hide(self) -> bool:
        """Never: what was said is said."""
        return False

    @property
    def reads(self) -> tuple[str, ...]:
        """Nothing is declared: a log holds what it holds."""
        return ()

    def ask(self, request: AgentRequest) -> AgentReply:
        """The turn that the log holds for this case, else for this question on this database."""
        found = self.find(request)
        if found is None:
            detail = (
                f"the log holds no turn of {self.name} for this {'question' if request.case_id is None else 'case'}"
            )
            error = AskFailedError(AgentFault.NO_TURN, detail)
            return failed(request, Identity(self.name, self.version), error, None)
        return AgentReply(found.turn, seconds=found.turn.latency, offered_examples=found.examples)

    def find(self, request: AgentRequest) -> Recorded | None:
        """The line for `request`. Of several the one with the very question, then the one whose id begins with the
        case's id, then the first; for a further sample the next that is as good. None where the log holds no more."""
        words = normalised(request.question)
        named = self._by_case.get(request.case_id, []) if request.case_id is not None else []
        if request.paraphrase:
            named = [one for one in named if normalised(one.turn.question) == words]
        candidates = named or [one for one in self._asked(request.database, words) if _may_be(one, request)]
        if not candidates:
            return None
        best = min(_rank(one, request, words) for one in candidates)
        alike = [one for one in candidates if _rank(one, request, words) == best]
        return alike[request.sample] if request.sample < len(alike) else None

    def _asked(self, database: str | None, words: str) -> list[Recorded]:
        # A side that names no database is compatible with any.
        if database is None:
            return self._by_words.get(words, [])
        return self._by_question.get((database, words)) or self._by_question.get((None, words), [])

    def close(self) -> None:
        """Nothing is held."""


def normalised(question: str) -> str:
    """A question with its spaces made single."""
    return " ".join(question.split())


def _may_be(one: Recorded, request: AgentRequest) -> bool:
    """A line that says another case is not this one's, whatever its question."""
    return one.case_id is None or request.case_id is None or one.case_id == request.case_id


def _rank(one: Recorded, request: AgentRequest, words: str) -> tuple[bool, bool]:
    id_, case = one.turn.id or "", request.case_id
    is_of_case = case is not None and (id_ == case or id_.startswith(f"{case}::"))
    return normalised(one.turn.question) != words, not is_of_case


def replays(path: str | Path) -> tuple[ReplayAgent, ...]:
    """The agents of a log (JSONL, a Turn's fields a line), in the order in which they first appear.

    A line may also hold `case_id` (there or in `metadata`) and `examples` (ids that the agent used). Lines without
    `agent` are of an agent named as the file; versions of one agent are agents of their own. Fields that a Turn does
    not have are ignored and counted. Raises InputError that names file, line and field.
    """
    path = Path(path)
    unknown: Counter[str] = Counter()
    by_agent: dict[tuple[str, str | None], list[Recorded]] = {}
    for fields in _lines(path, unknown):
        turn = fields.turn
        by_agent.setdefault((turn.agent or path.stem, turn.agent_version), []).append(fields)
    if not by_agent:
        raise InputError(f'{path}: holds no turn; a line is such as {{"question": "…", "sql": "…"}}')
    versions = Counter(name for name, _ in by_agent)
    return tuple(
        ReplayAgent(name if versions[name] == 1 or not version else f"{name} {version}", version, tuple(lines), unknown)
        for (name, version), lines in by_agent.items()
    )


def _lines(path: Path, unknown: Counter[str]) -> Iterator[Recorded]:
    problems: list[str] = []
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            yield _recorded(line, unknown)
        except NotReadableError as error:
            problems.append(f"{path}:{number}: {error}")
    if problems:
        more = f"\n… and {len(problems) - _SHOWN} more lines" if len(problems) > _SHOWN else ""
        raise InputError("\n".join(problems[:_SHOWN]) + more)


def _recorded(line: bytes, unknown: Counter[str]) -> Recorded:
    fields = _object(line)
    unknown.update(fields.keys() - Turn.model_fields.keys() - _BESIDE_A_TURN)
    values = {name: value for name, value in fields.items() if name in Turn.model_fields and value is not None}
    if "sql" in fields and not values.keys() & {"sql", "answer", "outcome"}:
        # The log says that there was no SQL, which is something to judge.
        values["sql"] = ""
    try:
        turn = Turn.model_validate(values)
    except ValidationError as error:
        raise NotReadableError(_first(error)) from None
    try:
        examples = ids(fields.get("examples") or ())
    except NotReadableError as error:
        raise NotReadableError(f"examples: {error}") from None
    case_id = fields.get("case_id", (turn.metadata or {}).get("case_id"))
    if isinstance(case_id, bool) or not isinstance(case_id, str | int | None):
        raise NotReadableError("case_id: expected text")
    return Recorded(turn, None if case_id is None else str(case_id), examples)


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except UnicodeDecodeError:
        raise NotReadableError("not UTF-8") from None
    except json.JSONDecodeError as error:
        raise NotReadableError(f"not valid JSON: {error.msg} (character {error.colno})") from None
    except (ValueError, RecursionError):
        raise NotReadableError("not valid JSON: nested too deep, or a number with too many digits") from None
    if not isinstance(value, dict):
        raise NotReadableError("expected a JSON object {…}")
    return value


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    message = first["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message
