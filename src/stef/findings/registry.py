"""The rules that there are: stef's own and third parties', all from the entry point group `stef.findings`."""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Final, TypeAlias

from stef.errors import RulesError, UserError
from stef.findings.context import Context
from stef.records.assessment import Finding

if TYPE_CHECKING:
    from stef.rules.model import FindingRule

ENTRY_POINTS: Final = "stef.findings"
OWN: Final = "stef.findings"
FAULT: Final = "S000"
"""The code under which a rule that raised is counted. It is stef's own fault and says nothing of the turn."""

_MODULE = re.compile(r"[a-z]{1,4}\d{2,4}_\w+")
_CODE = re.compile(r"[A-Z]{1,4}\d{2,4}")

Find: TypeAlias = Callable[[Context], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `find` yields what it sees in a turn; `doc` is its documentation; `module` where it stands.

    `needs`: what a turn has at least one of where the rule can see anything (see `Context.there`); empty: no matter.
    """

    code: str
    title: str
    find: Find
    doc: str
    module: str
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules that are on for one application, in the order of their codes; `weights` where one is not 1."""

    rules: tuple[Rule, ...]
    weights: Mapping[str, float] = field(default_factory=dict)

    def run(self, context: Context) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        """The findings on a turn, in the order of their codes; and, apart, one S000 for each rule that raised."""
        found: list[Finding] = []
        faults: list[Finding] = []
        there = context.there
        for rule in self.rules:
            if rule.needs and rule.needs.isdisjoint(there):
                continue
            try:
                found.extend(rule.find(context))
            except Exception as error:  # a rule's bug must not cost the turn; it is counted as stef's own fault
                detail = f"{rule.code} raised {type(error).__name__}: {error}"
                faults.append(Finding(FAULT, "a rule failed on this turn", detail[:300]))
        if self.weights:
            found = [replace(one, weight=self.weights.get(one.code, 1.0)) for one in found]
        return tuple(found), tuple(faults)


@lru_cache(maxsize=1)
def all_rules() -> tuple[Rule, ...]:
    """Every rule that is installed, in the order of the codes.

    Raises UserError where an entry point cannot be loaded, holds no rule, or gives a code that is taken.
    """
    rules: dict[str, Rule] = {}
    for name, module in _modules():
        found = [rule_of(one, name) for one in _rule_modules(module)]
        if not found:
            raise UserError(f"entry point {name!r} of {ENTRY_POINTS}: {module.__name__} holds no rule")
        for rule in found:
            taken = rules.setdefault(rule.code, rule)
            if taken.module != rule.module:
                raise UserError(f"finding {rule.code} is defined twice: in {taken.module} and in {rule.module}")
    return tuple(rules[code] for code in sorted(rules))


def rule_set(switches: "Mapping[str, FindingRule]") -> RuleSet:
    """The rules as an application's `findings` have them. Raises RulesError for a code that no rule has."""
    rules = all_rules()
    known = [rule.code for rule in rules]
    for code in switches:
        if code not in known:
            near = get_close_matches(code.upper(), known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "`stef findings` lists them"
            raise RulesError(f"findings: unknown code {code[:60]!r}; {hint}")
    on = tuple(rule for rule in rules if rule.code not in switches or switches[rule.code].enabled)
    return RuleSet(on, {code: one.weight for code, one in switches.items() if one.enabled and one.weight != 1.0})


def rule_of(module: ModuleType, name: str = OWN) -> Rule:
    """The rule that a module is: its CODE, TITLE, `find` and docstring. Raises UserError where one is missing."""
    code, title, find = (getattr(module, part, None) for part in ("CODE", "TITLE", "find"))
    doc = (module.__doc__ or "").strip()
    if not (isinstance(code, str) and _CODE.fullmatch(code) and isinstance(title, str) and callable(find) and doc):
        raise UserError(
            f"entry point {name!r} of {ENTRY_POINTS}: {module.__name__} is no rule; it needs a docstring, "
            "CODE (such as 'ACME101'), TITLE and find(context)"
        )
    return Rule(code, title, find, doc, module.__name__, frozenset(getattr(module, "NEEDS", ())))


def _modules() -> Iterator[tuple[str, ModuleType]]:
    """What the entry points name; stef's own also where its installed metadata is older than its code."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # reads the disk, once

    points = sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.value != OWN, point.name))
    if not points or points[0].value != OWN:
        yield "stef", importlib.import_module(OWN)
    for point in points:
        try:
            module = point.load()
        except (ImportError, AttributeError) as error:
            raise UserError(
                f"entry point {point.name!r} of {ENTRY_POINTS}: cannot load {point.value}: {error}"
            ) from error
        if not isinstance(module, ModuleType):
            raise UserError(f"entry point {point.name!r} of {ENTRY_POINTS}: {point.value} is not a module")
        yield point.name, module


def _rule_modules(module: ModuleType) -> Iterator[ModuleType]:
    if hasattr(module, "CODE"):
        yield module
        return
    for info in sorted(pkgutil.iter_modules(getattr(module, "__path__", ())), key=lambda info: info.name):
        if _MODULE.fullmatch(info.name):
            yield importlib.import_module(f"{module.__name__}.{info.name}")
