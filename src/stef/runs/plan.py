"""What a run would ask of models, without asking."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from stef.evaluator import Evaluator, Prepared
from stef.judge.protocol import ModelJudge
from stef.llm.client import ChatRequest
from stef.runs.incoming import sources_of
from stef.runs.intake import chosen_rows
from stef.runs.job import ScoreJob
from stef.runs.read import read_records, readable_sources
from stef.runs.records import BadLine
from stef.runs.turns import Mapper, Row
from stef.runs.usable import BrokenLines, usable_turns

REPLY_TOKENS = 200
"""Tokens of a usual reply with its reasons (100 to 300 where a model does not think aloud)."""


@dataclass(slots=True)
class Calls:
    """Calls of one kind: how many, and the tokens of their prompts."""

    calls: int = 0
    input_tokens: int = 0

    def add(self, tokens: int) -> None:
        """Count one call in."""
        self.calls += 1
        self.input_tokens += tokens

    @property
    def output_tokens(self) -> int:
        """Tokens of the replies, if they are of the usual length."""
        return self.calls * REPLY_TOKENS


@dataclass(slots=True)
class Plan:
    """What a run would ask. `judging` is asked for certain, `refuting` only after verdicts on the right side.

    `reading` are questions for a model that reads them. Turns that are the same word for word are asked once; `unasked`
    turns have no readable SQL or question. Second asks for unreadable replies are not in it.
    """

    turns: int = 0
    unasked: int = 0
    bad_lines: int = 0
    judging: Calls = field(default_factory=Calls)
    refuting: Calls = field(default_factory=Calls)
    reading: Calls = field(default_factory=Calls)


def plan_log(
    job: ScoreJob, evaluator: Evaluator, count: Callable[[str], int], reader: "ReaderPrompts | None" = None
) -> Plan:
    """The plan of `score_log` for the same job. `count` counts the tokens of a text.

    Raises InputError as `score_log` does.
    """
    plan = Plan()
    read: set[tuple[str, tuple[str, ...]]] = set()
    with prepared_rows(job, evaluator) as (mapper_rows, broken):
        for row, prepared, questions in mapper_rows:
            plan.turns += 1
            plan.unasked += prepared.request is None
            for question in questions:
                kind = plan.refuting if question.key and question.key.endswith("-refute") else plan.judging
                kind.add(sum(count(message.content) for message in question.messages))
            if reader is not None and prepared.sql is not None and prepared.sql.unreadable is None:
                for text in filter(None, (row.turn.question, row.turn.enriched_question)):
                    if (text, row.turn.history) not in read:
                        read.add((text, row.turn.history))
                        plan.reading.add(count(reader(text, row.turn.history)))
    plan.bad_lines = broken.count
    return plan


ReaderPrompts = Callable[[str, tuple[str, ...]], str]
Asked = tuple[Row, Prepared, tuple[ChatRequest, ...]]


@contextmanager
def prepared_rows(job: ScoreJob, evaluator: Evaluator) -> Iterator[tuple[Iterator[Asked], BrokenLines]]:
    """Every turn of the logs, prepared, with the questions that it puts to the judge's model and no turn before did.

    Broken lines are counted as the turns are read. Raises InputError for logs that cannot be read.
    """
    judge = evaluator.judge if isinstance(evaluator.judge, ModelJudge) else None
    broken = BrokenLines(job.strict)
    with sources_of(job.logs, job.query) as found:
        sources = readable_sources(found, job.encoding, lambda _text: None)
        rows = Mapper(job.fields).rows(read_records(sources, encoding=job.encoding))
        chosen = chosen_rows(job, evaluator, sources)
        yield _asked(_turns(rows, job, broken, chosen), evaluator, judge), broken


def _turns(
    rows: Iterable[Row | BadLine], job: ScoreJob, broken: BrokenLines, chosen: Callable[[Row], bool]
) -> Iterator[Row]:
    turns = 0
    for turns, row in enumerate(usable_turns(rows, job.limit, broken, chosen), start=1):  # noqa: B007  how many
        yield row
    if not turns:
        raise broken.no_turn()


def _asked(rows: Iterable[Row], evaluator: Evaluator, judge: ModelJudge | None) -> Iterator[Asked]:
    seen: set[str | None] = set()
    for row in rows:
        prepared = evaluator.prepare_turn(row.turn)
        questions = () if judge is None or prepared.request is None else judge.questions(prepared.request)
        new = tuple(question for question in questions if question.key not in seen)
        seen.update(question.key for question in new)
        yield row, prepared, new
