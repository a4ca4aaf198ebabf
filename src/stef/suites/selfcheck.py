"""The self-check: does the ruler read what is known beforehand? It proves the ruler straight, and no model good.

The agents' turns go through a whole gold run, as anybody's would, and what it says is held against what it must say.
"""

from collections import defaultdict
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from stef.databases import open_database
from stef.records.case import CaseKind
from stef.records.gold import Bucket, CaseReport
from stef.runs.gold.job import GoldJob
from stef.runs.gold.run import run_gold
from stef.runs.gold.summary import record_of, summarise_gold
from stef.runs.run import Run
from stef.suites import tpch64
from stef.suites.mock_agents import ANSWER_ALL, REFUSE_ALL, RIGHT, plant, write_log
from stef.suites.mutants import Mistake, Mutant
from stef.suites.readings import Figures, MutantReading, Reading, Share, mutant_reading, reading_of


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """What was read of all agents: the one that is right but for one refusal first. `faults` are stef's own."""

    agents: tuple[Reading, ...]
    mutants: tuple[MutantReading, ...]
    faults: tuple[str, ...]
    turns: int

    @property
    def right(self) -> Reading:
        """The agent that is right but for one refusal."""
        return self.agents[0]

    @property
    def straight(self) -> bool:
        """Whether the ruler reads everything as it must."""
        agents, mutants = (one.straight for one in self.agents), (one.straight for one in self.mutants)
        return not self.faults and all(agents) and all(mutants)


def self_check(database: Path, folder: Path) -> SelfCheck:
    """Run all mock agents on tpch64 and read them. Writes cases, log and RUN into `folder`, which must hold no RUN."""
    cases, right = tpch64.cases(), tpch64.right_sql()
    url = tpch64.database_url(database)
    with closing(open_database(url)) as opened:
        mutants = plant(cases, right, opened)
    folder.mkdir(parents=True, exist_ok=True)
    questions, log = folder / "tpch64.yaml", folder / "log.jsonl"
    questions.write_text(tpch64.cases_text(), encoding="utf-8")
    write_log(log, cases, right, mutants)
    job = GoldJob((str(questions),), url, (f"replay:{log}",), folder / "run")
    return read_run(run_gold(job).run, mutants)


def read_run(run: Run, mutants: Mapping[Mistake, Mapping[str, Mutant]]) -> SelfCheck:
    """What a gold run of the mock agents says, held against what it must say."""
    overview = summarise_gold(run).overview
    reports: defaultdict[str | None, dict[str, CaseReport]] = defaultdict(dict)
    for row in run.rows(("row", "record")):
        record = record_of(run, row)
        reports[record.agent][record.case_id] = record.report
    agents = {one.agent: one for one in overview.agents}
    return SelfCheck(
        agents=tuple(
            reading_of(agents[agent], reports[agent], must, bucket) for agent, (must, bucket) in _musts().items()
        ),
        mutants=tuple(mutant_reading(one, mutants[one], reports[one]) for one in Mistake),
        faults=tuple(f"{one.agent}, {one.case_id}: {one.message}" for one in overview.scorer_faults),
        turns=overview.turns,
    )


def _musts() -> dict[str, tuple[Figures, Bucket]]:
    """What must be read of each agent, and the bucket of its wrong turns."""
    cases = len(tpch64.cases())
    unanswerable = sum(case.kind is CaseKind.UNANSWERABLE for case in tpch64.cases())
    all_declined = Share(unanswerable, unanswerable)
    one_too_many = Figures(Share(cases - 1, cases), Share(unanswerable, unanswerable + 1), all_declined)
    nothing_else = Figures(Share(unanswerable, cases), Share(unanswerable, cases), all_declined)
    never = Figures(Share(cases - unanswerable, cases), Share(0, 0), Share(0, unanswerable))
    return {
        RIGHT: (one_too_many, Bucket.OVER_REFUSAL),
        REFUSE_ALL: (nothing_else, Bucket.OVER_REFUSAL),
        ANSWER_ALL: (never, Bucket.MISSED_REFUSAL),
    }
