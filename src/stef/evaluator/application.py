"""One application's rules, with all that is derived of them once."""

from dataclasses import dataclass
from functools import lru_cache
from zoneinfo import ZoneInfo

from stef.alignment.clock import Clock
from stef.alignment.policy import Policy, compile_policy
from stef.findings import RuleSet, rule_set
from stef.records.reading import SqlReading
from stef.records.turn import Turn
from stef.rules import AppRules, resolve, rules_hash
from stef.sql.dialects import check_dialect
from stef.sql.read import read_sql
from stef.sql.schema import Schema


@dataclass(frozen=True, slots=True)
class Application:
    """One application's rules, with what is derived of them once."""

    rules: AppRules
    hash: str
    policy: Policy
    zone: ZoneInfo
    schema: Schema | None
    findings: RuleSet

    def clock(self, turn: Turn) -> Clock | None:
        """The turn's time as a naive local time of the application; a naive timestamp is one already."""
        at = turn.timestamp
        if at is None:
            return None
        local = at if at.tzinfo is None else at.astimezone(self.zone).replace(tzinfo=None)
        return Clock(local, self.rules.calendar.week_start)

    def read_sql(self, turn: Turn, dialect: str | None) -> SqlReading:
        """The turn's SQL, in its own dialect, else the rules', else `dialect`."""
        dialect = turn.dialect or self.rules.dialect or dialect
        schema = _schema(turn.ddl_offered, dialect) if turn.ddl_offered else self.schema
        return read_sql(turn.sql or "", dialect, schema)


def open_application(rules: AppRules) -> Application:
    """The application of `rules`, merged with what they extend. Raises UserError where they cannot work."""
    merged = resolve(rules) if rules.extends is not None else rules
    if merged.dialect is not None:
        check_dialect(merged.dialect)
    schema = Schema.from_types(merged.column_types) if merged.column_types else None
    zone = ZoneInfo(merged.calendar.time_zone)
    return Application(merged, rules_hash(merged), compile_policy(merged), zone, schema, rule_set(merged.findings))


@lru_cache(maxsize=256)
def _schema(ddl: tuple[str, ...], dialect: str | None) -> Schema:
    return Schema.from_ddl(ddl, dialect)
