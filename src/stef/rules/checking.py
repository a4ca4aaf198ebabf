"""Checking rules files whole: keys and values, the SQL in them, and their examples."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from stef.errors import RulesError
from stef.records.assessment import Assessment
from stef.records.turn import Turn
from stef.rules.book import rules_files
from stef.rules.examples import ExampleResult, run_examples
from stef.rules.fragments import Fragment, sql_fragments
from stef.rules.hashing import rules_hash
from stef.rules.loading import load_parts, load_rules
from stef.rules.model import AppRules


@dataclass(frozen=True, slots=True)
class FileCheck:
    """What became of one file. `problems` each name the file and the place; a broken file has no hash or examples."""

    path: str
    problems: tuple[str, ...] = ()
    hash: str | None = None
    examples: tuple[ExampleResult, ...] = ()

    @property
    def failed(self) -> int:
        """How many examples failed."""
        return sum(not example.passed for example in self.examples)

    @property
    def status(self) -> Literal["ok", "failed", "broken"]:
        """Whether the file is broken, or an example of it fails."""
        if self.problems:
            return "broken"
        return "failed" if self.failed else "ok"


@dataclass(frozen=True, slots=True)
class Checks:
    """What the layers above lend to a check.

    `dialect`, `fragment` and `findings` give a complaint, or None; `assessor` gives, for a set of rules, what assesses
    a turn.
    """

    dialect: Callable[[str], str | None]
    fragment: Callable[[Fragment], str | None]
    assessor: Callable[[AppRules], Callable[[Turn], Assessment]]
    findings: Callable[[AppRules], str | None] = lambda _: None


def check_rules(path: str | Path, checks: Checks) -> tuple[FileCheck, ...]:
    """One FileCheck for the file at `path`, or for each file in that folder.

    Raises RulesError for a folder without rules; a broken file is a FileCheck with problems.
    """
    files = rules_files(Path(path)) if Path(path).is_dir() else (Path(path),)
    return tuple(_check_file(file, checks) for file in files)


def _check_file(file: Path, checks: Checks) -> FileCheck:
    try:
        rules, parts = load_rules(file), load_parts(file)
    except RulesError as error:
        return FileCheck(str(file), tuple(str(error).split("\n")))
    complaint = checks.dialect(rules.dialect) if rules.dialect is not None else None
    # SQL of an unknown dialect cannot be read at all: one complaint is enough.
    problems = [f"{file}: dialect: {complaint}"] if complaint else list(_sql_problems(parts, rules.dialect, checks))
    unknown = checks.findings(rules)
    problems += [f"{file}: {unknown}"] if unknown else []
    if problems:
        return FileCheck(str(file), tuple(problems))
    examples = tuple(run_examples(rules, checks.assessor(rules))) if rules.examples else ()
    return FileCheck(str(file), (), rules_hash(rules), examples)


def _sql_problems(parts: tuple[tuple[Path, AppRules], ...], dialect: str | None, checks: Checks) -> Iterator[str]:
    """SQL is looked at file by file, so that a place is one of that file and not of the merged rules."""
    for file, rules in parts:
        for fragment in sql_fragments(rules, dialect):
            complaint = checks.fragment(fragment)
            if complaint:
                yield f"{file}: {fragment.path}: {complaint}"
