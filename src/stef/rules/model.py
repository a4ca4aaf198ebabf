"""AppRules: one application's conventions, as data. Every key is optional."""

from datetime import datetime
from difflib import get_close_matches
from enum import StrEnum
from typing import Annotated
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, Field

from stef.records.alignment import FilterAlignment
from stef.records.assessment import Band
from stef.records.judgement import Verdict
from stef.records.reasons import UnscoredReason
from stef.rules.base import Closed, Text, Texts
from stef.rules.filter_rule import FilterRule
from stef.rules.scoring import Scoring


class Weekday(StrEnum):
    """The first day of a week."""

    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, LookupError) as error:
        name = name[:60]
        near = get_close_matches(name, available_timezones(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else "use an IANA name such as 'Europe/Berlin'"
        raise ValueError(f"unknown time zone {name!r}; {hint}") from error
    return name


class Calendar(Closed):
    """How the application counts time. A fiscal year has the name of the calendar year that it ends in."""

    fiscal_year_start_month: Annotated[int, Field(ge=1, le=12)] = 1
    week_start: Weekday = Weekday.MONDAY
    time_zone: Annotated[str, AfterValidator(_known_zone)] = Field(default="UTC", description="IANA name")


class AgentAdds(Closed):
    """What the agent adds to every query by design, so that nobody calls it a difference."""

    pagination: bool = Field(default=False, description="LIMIT and OFFSET for pages, with the ORDER BY that they need")
    row_cap: bool = Field(default=False, description="A LIMIT of `row_cap`")
    tenant_filter: FilterRule | None = Field(default=None, description="The filter that keeps tenants apart")
    columns: Texts = Field(default=(), description="Columns that the agent always selects, such as an id for links")


class Normalisation(Closed):
    """The four normalisation rules for production SQL, each on unless switched off."""

    required_group_by: bool = Field(
        default=True, description="Columns grouped only as the SELECT mixes them with aggregates"
    )
    benign_group_by: bool = Field(default=True, description="Grouping on a column that a filter fixes to one value")
    order_tolerance: bool = Field(default=True, description="An order that nobody asked for, where it picks no rows")
    limit_tolerance: bool = Field(default=True, description="A high LIMIT is a safety measure")
    safety_limit: Annotated[int, Field(ge=1)] = Field(
        default=1000, description="The lowest LIMIT that is a safety measure"
    )


class Expect(Closed):
    """What an example must come to; what is not named is not checked.

    Texts must each occur in one of the Assessment's (case and space ignored); an empty list: there must be none.
    """

    filter_alignment: FilterAlignment | None = None
    verdict: Verdict | None = None
    band: Band | None = None
    min_score: Annotated[float, Field(ge=0, le=100)] | None = None
    max_score: Annotated[float, Field(ge=0, le=100)] | None = None
    missing: Texts | None = Field(default=None, description="Required filters that are not applied")
    extra: Texts | None = Field(default=None, description="Extra filters that no rule covers")
    benign: Texts | None = Field(default=None, description="Extra filters that a rule covers")
    excused: Texts | None = Field(default=None, description="Names of the normalisation rules that excused something")
    unscored: UnscoredReason | None = Field(default=None, description="The turn must have no score, for this reason")


class Example(Closed):
    """A turn and what it must come to: a test of the rules file, run by `stef rules check`."""

    question: Text
    sql: Text
    enriched_question: Text | None = None
    dialect: Text | None = None
    timestamp: datetime | None = None
    expect: Expect = Expect()
    why: str = ""


class FindingRule(Closed):
    """One finding for this application: whether it is looked for, and how much it counts for the symbolic judge."""

    enabled: bool = Field(default=True, description="Whether the finding is looked for")
    weight: Annotated[float, Field(ge=0, le=10)] = Field(
        default=1.0, description="How much it counts, beside 1 as measured; 0 shows it without counting it"
    )


class AppRules(Closed):
    """One application's conventions.

    Rules that come from a file or from `resolve` are merged with what they extend, and their `extends` is None.
    Names of columns, tables and terms are compared without regard to case.
    """

    app: Text | None = Field(default=None, description="Name of the application, as in a turn's `app`")
    version: Text | None = Field(default=None, description="Your own version of these rules")
    extends: Text | None = Field(
        default="default", description="`default`, a file beside this one, or null for nothing"
    )
    dialect: Text | None = Field(default=None, description="SQL dialect, where a turn names none")
    column_types: dict[Text, Text] = Field(default={}, description="Column to SQL type")
    column_mappings: dict[Text, Texts] = Field(
        default={}, description="Column to the names that the business uses for it"
    )
    value_mappings: dict[Text, dict[str, Texts]] = Field(
        default={}, description="Column to stored value to business names"
    )
    term_mappings: dict[Text, Text] = Field(default={}, description="Business term to SQL expression")
    benign_filters: tuple[FilterRule, ...] = Field(default=(), description="Filters that do no harm where nobody asked")
    mandatory_filters: tuple[FilterRule, ...] = Field(default=(), description="Filters that every query must have")
    critical_columns: Texts = Field(default=(), description="Columns whose filters, where asked, must be applied")
    agent_adds: AgentAdds = AgentAdds()
    row_cap: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="The LIMIT that the application puts on all"
    )
    calendar: Calendar = Calendar()
    refusal_markers: Texts = Field(default=(), description="Phrases by which the agent declines")
    clarification_markers: Texts = Field(default=(), description="Phrases by which the agent asks back")
    normalisation: Normalisation = Normalisation()
    scoring: Scoring = Scoring()
    findings: dict[Text, FindingRule] = Field(default={}, description="Code of a finding to what holds for it here")
    notes: Texts = Field(default=(), description="Free text for the judge")
    examples: tuple[Example, ...] = Field(default=(), description="Tests of this file")
