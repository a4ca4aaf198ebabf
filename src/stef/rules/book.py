"""What `--rules` names: one file for all turns, or a folder with one file for each application."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from stef.errors import RulesError
from stef.rules.loading import DEFAULT, load_default, load_rules, resolve
from stef.rules.model import AppRules


@dataclass(frozen=True, slots=True)
class RuleBook:
    """Rules by application. `fallback` holds for a turn whose application has none; `single`: for every turn."""

    fallback: AppRules
    by_app: dict[str, AppRules]
    single: bool = False

    @classmethod
    def load(cls, path: str | Path | None = None) -> Self:
        """The rules at `path`: a file, or a folder; None is the default rules for all.

        In a folder, a file's application is its `app`, else its name; `default.json` holds for turns whose application
        has no file. Raises RulesError for a folder without rules, two files for one application, a broken file.
        """
        if path is None:
            return cls(load_default(), {}, single=True)
        if not Path(path).is_dir():
            return cls(load_rules(path), {}, single=True)
        return cls._from_folder(Path(path))

    @classmethod
    def of(cls, rules: AppRules) -> Self:
        """The same rules for every turn, merged with what they extend."""
        return cls(resolve(rules), {}, single=True)

    @classmethod
    def _from_folder(cls, folder: Path) -> Self:
        fallback: AppRules | None = None
        by_app: dict[str, AppRules] = {}
        origin: dict[str, Path] = {}
        for file in rules_files(folder):
            rules = load_rules(file)
            if rules.app is None and file.stem == DEFAULT:
                fallback = rules
                continue
            key = _key(rules.app or file.stem)
            if key in by_app:
                raise RulesError(f"{file}: app: {origin[key]} holds the rules of {rules.app or file.stem!r} already")
            by_app[key], origin[key] = rules, file
        return cls(fallback or load_default(), by_app)

    def for_app(self, app: str | None) -> AppRules:
        """The rules of `app`; those for all where it has none."""
        return self.fallback if self.single or app is None else self.by_app.get(_key(app), self.fallback)

    def knows(self, app: str | None) -> bool:
        """Whether a turn of `app` has rules that are meant for it."""
        return self.single or (app is not None and _key(app) in self.by_app)

    def all(self) -> tuple[AppRules, ...]:
        """Every set of rules in the book, the fallback first."""
        return (self.fallback, *self.by_app.values())


def rules_files(folder: Path) -> tuple[Path, ...]:
    """The rules files in `folder`, by name: every `*.json` but schemas; RulesError where there are none."""
    files = tuple(sorted(file for file in folder.glob("*.json") if not file.name.endswith(".schema.json")))
    if not files:
        raise RulesError(f"{folder}: no rules in this folder; put one APP.json for each application there")
    return files


def _key(app: str) -> str:
    return app.strip().casefold()
