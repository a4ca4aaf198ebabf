"""Which field of a log is which field of a Turn: what the user said, a preset, or the names that logs commonly use."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from stef.errors import UserError
from stef.runs.aliases import ALIASES, EITHER_QUESTION, EITHER_SQL, PRESETS
from stef.runs.paths import Path, parse_path, show_path
from stef.runs.values import READERS

TO_JUDGE = ("sql", "answer", "outcome")
"""A Turn needs one of these."""

_EXTRA_TARGETS = ("latency_ms", "hint")


@dataclass(frozen=True, slots=True)
class FieldMap:
    """How records become Turns. `said` are the paths by target, first that holds a value wins; `keep` the fields that
    go to metadata. Where `aliases` is on, a target that nobody named is found by the common names.
    """

    said: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    keep: tuple[Path, ...] = ()
    aliases: bool = True
    preset: str | None = None

    def settings(self) -> dict[str, object]:
        """What belongs to a run's settings: equal settings map equal records to equal Turns."""
        return {
            "map": {target: [show_path(path) for path in paths] for target, paths in sorted(self.said.items())},
            "keep": [show_path(path) for path in self.keep],
            "preset": self.preset,
        }


def field_map(maps: Iterable[str] = (), *, preset: str | None = None, keep: Iterable[str] = ()) -> FieldMap:
    """The mapping that `--map target=path`, `--preset` and `--keep` state; `--map` wins over the preset.

    Raises UserError for an unknown target or preset (with the nearest names), and for a path that is none.
    """
    said: dict[str, tuple[Path, ...]] = dict(_preset(preset)) if preset else {}
    own: dict[str, tuple[Path, ...]] = {}
    for text in maps:
        target, path = _one(text)
        own[target] = (*own.get(target, ()), path)
    return FieldMap({**said, **own}, tuple(parse_path(name) for name in keep), aliases=preset is None, preset=preset)


def _preset(name: str) -> Mapping[str, tuple[Path, ...]]:
    if name not in PRESETS:
        raise UserError(
            f"--preset {name}: unknown preset{_near(name, PRESETS)}; there are {', '.join(sorted(PRESETS))}"
        )
    return PRESETS[name]


def _one(text: str) -> tuple[str, Path]:
    target, sign, path = text.partition("=")
    target = target.strip()
    if not sign or not path.strip() or not target:
        raise UserError(f"--map {text}: write it as FIELD=PATH, such as --map question=input.text")
    known = target in READERS or target in _EXTRA_TARGETS or target.startswith(("source.", "metadata."))
    if known:
        return target, parse_path(path.strip())
    if path.strip() in READERS:
        raise UserError(f"--map {text}: {target!r} is no field of a turn; did you mean --map {path.strip()}={target}?")
    fields = ", ".join(READERS)
    raise UserError(f"--map {text}: {target!r} is no field of a turn{_near(target, READERS)}; there are {fields}")


def _near(name: str, names: Iterable[str]) -> str:
    from rapidfuzz import process  # noqa: PLC0415  only for the message

    hits = process.extract(name, list(names), limit=2, score_cutoff=60)
    return f"; did you mean {' or '.join(hit for hit, _, _ in hits)}?" if hits else ""


def fold(name: str) -> str:
    """A field's name without case, `_`, `-` and spaces, so that `generatedSql` is `generated_sql`."""
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")


_OWN = {fold(target): target for target in READERS}


def plan_aliases(
    keys: tuple[str, ...], taken: frozenset[str], objects: frozenset[str] = frozenset()
) -> dict[str, tuple[Path, ...]]:
    """For each target that nobody named (`taken` are those that somebody did): the keys that may hold it, best first.

    A key that is a target's own name belongs to that target alone. A key among `objects` is not taken by another name:
    what is asked for lies inside it.
    """
    by_fold: dict[str, str] = {}
    for key in keys:
        if key not in objects or fold(key) in _OWN:
            by_fold.setdefault(fold(key), key)
    plan: dict[str, tuple[Path, ...]] = {}
    for target in READERS:
        if target in taken:
            continue
        names = (fold(target), *(name for name in ALIASES.get(target, ()) if name not in _OWN))
        found = tuple((by_fold[name],) for name in names if name in by_fold)
        if found:
            plan[target] = found
    _settle_either(by_fold, plan, taken)
    return plan


def _settle_either(by_fold: Mapping[str, str], plan: dict[str, tuple[Path, ...]], taken: frozenset[str]) -> None:
    """`query`, `input`, `output` … stand for the question or the SQL, whichever the record has no other name for."""
    has_question = "question" in plan or "question" in taken
    has_sql = "sql" in plan or "sql" in taken
    if not has_question:
        names = [name for name in EITHER_QUESTION if name in by_fold and (name != "query" or has_sql)]
        if names:
            plan["question"] = tuple((by_fold[name],) for name in names)
            has_question = True
    if not has_sql and has_question:
        used = {path[0] for path in plan.get("question", ())}
        names = [name for name in EITHER_SQL if name in by_fold and by_fold[name] not in used]
        if names:
            plan["sql"] = tuple((by_fold[name],) for name in names)
