"""One turn on its case: run what must be run, compare, and make the record; each gold and each query once a case."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from stef.databases import Database, Databases, Limits
from stef.errors import StefError
from stef.gold.behaviour import expects_answer, gives_query, outcome_of, runnable_sql
from stef.gold.cases import paraphrase_id
from stef.gold.coincidence import Speaks
from stef.gold.evaluate import Asked, evaluate, lost
from stef.gold.sides import Golds, Ran, golds_of, with_ranked
from stef.records.case import Case
from stef.records.gold import CaseReport, Outcome
from stef.records.live import LiveSchema
from stef.records.result import Executed, Failure, FailureKind, Result
from stef.rules import AppRules, RuleBook
from stef.runs.gold.answers import answer_key
from stef.runs.gold.asking import Told
from stef.runs.gold.perturbed import Perturbed
from stef.runs.gold.plan import Item
from stef.runs.gold.record import GoldRecord
from stef.sql.resolve import Resolved, resolve

_KEPT_CELLS = 200_000
"""Cells of a result that is kept for the next agent of the same case."""


@dataclass(frozen=True, slots=True)
class Done:
    """A record, and the results that it rests on by their keys."""

    record: GoldRecord
    case: Case
    answers: Mapping[str, Executed]

    @property
    def answer(self) -> Executed | None:
        """What the turn's own query gave."""
        key = self.record.answer_key
        return None if key is None else self.answers[key]


@dataclass(slots=True)
class _OfCase:
    """What was run for the case at hand; `before` are golds before their LIMIT, by their keys."""

    case: Case
    executed: dict[str, Executed] = field(default_factory=dict)
    read: dict[tuple[str, str | None, str | None], Resolved | None] = field(default_factory=dict)
    golds: Golds | None = None
    before: dict[str, Executed] = field(default_factory=dict)


class Workbench:
    """Runs and compares, item by item; items of one case come one after the other."""

    def __init__(
        self,
        databases: Databases,
        limits: Limits,
        book: RuleBook,
        dialect: str | None,
        perturbed: Perturbed | None = None,
    ) -> None:
        self._databases = databases
        self._limits = limits
        self._book = book
        self._dialect = dialect
        self._perturbed = perturbed
        self._now: _OfCase | None = None

    def done(self, item: Item, told: Told) -> Done:
        """The record of one item. A bug of stef's own is counted in it, and costs no other turn."""
        try:
            return self._compared(item, told)
        except StefError:
            raise
        except Exception as error:  # whatever it is, the turn that was paid for is kept
            bare = _record(
                item, told, lost(item.case, Outcome.ANSWERED if told.reply.turn.sql else Outcome.FAILED, error)
            )
            return Done(bare, item.case, {})

    def _compared(self, item: Item, told: Told) -> Done:
        at = self._of(item.case)
        turn, rules = told.reply.turn, self._book.for_app(told.reply.turn.app)
        database, dialect = self._database(item.case)
        sql = runnable_sql(told.reply, turn.dialect or dialect)
        outcome = outcome_of(told.reply, sql, rules)
        ran = None
        if sql and gives_query(outcome):
            ran = self._ran(at, sql, database, turn.dialect or dialect, rules)
        golds = self._golds(at, database, dialect)
        asked = Asked(
            reply=told.reply,
            outcome=outcome,
            retrieved=told.retrieved,
            hidden=told.hidden,
            dialect=dialect,
            row_cap=rules.row_cap,
            no_schema=isinstance(database, Failure) or _schema(database) is None,
        )
        report = evaluate(item.case, asked, golds, ran)
        if self._perturbed is not None and not isinstance(database, Failure):
            speaks = Speaks(self._limits, dialect)
            report = self._perturbed.looked_at(report, item.case, golds, sql, (database, speaks))
        record = replace(
            _record(item, told, report),
            dialect=turn.dialect or dialect,
            gold_dialect=dialect,
            sql=sql or None,
            gold_keys=tuple(answer_key(item.case.id, gold.sql) for gold in golds.runs),
            answer_key=answer_key(item.case.id, sql) if ran else None,
        )
        return Done(record, item.case, {**at.before, **_answers(record, golds, ran)})

    def _of(self, case: Case) -> _OfCase:
        if self._now is None or self._now.case is not case:
            self._now = _OfCase(case)
        return self._now

    def _database(self, case: Case) -> tuple[Database | Failure, str | None]:
        """The case's database, or why it is not there; and the dialect of its SQL."""
        asked = case.dialect or self._dialect
        try:
            database = self._databases.get(case.database)
        except StefError as error:
            return Failure(FailureKind.DATABASE_DOWN, str(error)), asked
        return database, asked or database.dialect

    def _golds(self, at: _OfCase, database: Database | Failure, dialect: str | None) -> Golds:
        if at.golds is None:
            wanted = at.case.gold_sql if expects_answer(at.case) else ()
            runs = [self._gold(at, sql, database, dialect) for sql in wanted]
            at.golds = golds_of(at.case, runs)
        return at.golds

    def _gold(self, at: _OfCase, sql: str, database: Database | Failure, dialect: str | None) -> Ran:
        ran = self._ran(at, sql, database, dialect, None)
        if isinstance(database, Failure):
            return ran

        def keep(query: str, result: Result) -> None:
            at.before[answer_key(at.case.id, query)] = result

        return with_ranked(ran, dialect, lambda query: database.run(query, self._limits), keep)

    def _ran(
        self, at: _OfCase, sql: str, database: Database | Failure, dialect: str | None, rules: AppRules | None
    ) -> Ran:
        executed = at.executed.get(sql)
        if executed is None:
            executed = database if isinstance(database, Failure) else database.run(sql, self._limits)
            if isinstance(executed, Failure) or executed.rows * len(executed.columns) <= _KEPT_CELLS:
                at.executed[sql] = executed
        key = (sql, dialect, None if rules is None else rules.app or "")
        if key not in at.read:
            schema = None if isinstance(database, Failure) else _schema(database)
            at.read[key] = read(sql, dialect, schema, rules)
        return Ran(sql, executed, at.read[key])


def _record(item: Item, told: Told, report: CaseReport) -> GoldRecord:
    """The record of a turn, without what was run for it."""
    return GoldRecord(
        row=item.row,
        id=told.reply.turn.id or _made_id(item),
        case_id=item.case.id,
        agent=item.agent.name,
        agent_version=item.agent.version,
        phrasing=item.phrasing,
        sample=item.sample,
        question=item.question,
        database=item.case.database,
        dialect=None,
        gold_dialect=None,
        reply=told.reply,
        report=report,
        retrieved=told.retrieved,
        hidden=told.hidden,
    )


def _answers(record: GoldRecord, golds: Golds, ran: Ran | None) -> dict[str, Executed]:
    answers = {key: gold.executed for key, gold in zip(record.gold_keys, golds.runs, strict=True)}
    if ran is not None and record.answer_key is not None:
        answers[record.answer_key] = ran.executed
    return answers


def read(sql: str, dialect: str | None, schema: LiveSchema | None, rules: AppRules | None) -> Resolved | None:
    """What the query says; of an agent's (`rules`) without what it adds by design. None where it cannot be read."""
    if rules is None:
        return resolve(sql, dialect, schema)
    return resolve(sql, dialect, schema, rules.agent_adds, row_cap=rules.row_cap)


def schemas_of(databases: Databases, cases: Iterable[Case]) -> dict[str, LiveSchema]:
    """The schemas of the cases' databases by name, as far as they can be read."""
    found: dict[str, LiveSchema] = {}
    for name in dict.fromkeys(case.database for case in cases):
        try:
            found[name or ""] = databases.get(name).schema()
        except StefError:
            continue
    return found


def _schema(database: Database) -> LiveSchema | None:
    try:
        return database.schema()
    except StefError:
        return None


def _made_id(item: Item) -> str:
    asked = paraphrase_id(item.case.id, item.phrasing) if item.phrasing else item.case.id
    again = f"::{item.sample + 1}" if item.sample else ""
    return f"{asked}::{item.agent.name}{again}"
