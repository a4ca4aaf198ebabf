"""Judges by name: stef's own, and third parties' by the entry point group `stef.judges`."""

import difflib
import importlib
from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias, Unpack

from stef.errors import JudgeSetupError
from stef.judge.options import JudgeKeywords, JudgeOptions
from stef.judge.protocol import Judge

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS: Final = "stef.judges"
JudgeFactory: TypeAlias = Callable[[str, JudgeOptions], Judge]


def make_judge(spec: str, **options: Unpack[JudgeKeywords]) -> Judge:
    """The judge that `spec` names: `symbolic`, `openai:MODEL`, `litellm:PROVIDER/MODEL`, `local:MODEL.gguf`,
    `recorded:FILE`, or another's.

    `options` are the fields of JudgeOptions. A third party's judge is an entry point of the group `stef.judges`: a
    function from what follows the colon and a JudgeOptions to a Judge. Raises JudgeSetupError where the judge is not
    known, or cannot work for want of a model, a key or a file.
    """
    name, _, argument = spec.strip().partition(":")
    factory, settings = _factory(name), JudgeOptions(**options)
    if name in WITHOUT_MODEL:
        _check_asks_nothing(name, settings)
    return factory(argument.strip(), settings)


def judge_names() -> tuple[str, ...]:
    """The names that `make_judge` knows, stef's own first."""
    others = sorted(point.name for point in _entry_points() if point.name not in BUILT_IN)
    return (*BUILT_IN, *others)


def _symbolic(argument: str, _options: JudgeOptions) -> Judge:
    if argument:
        raise JudgeSetupError(f"symbolic takes no argument, but was given {argument!r}; write: symbolic")
    # The layer below may not be complete without its data; it is loaded only where it is asked for.
    module = importlib.import_module("stef.judge.symbolic")
    judge: Judge = module.SymbolicJudge()
    return judge


def _openai(argument: str, options: JudgeOptions) -> Judge:
    from stef.judge.models import openai_judge  # noqa: PLC0415  # brings jinja2

    return openai_judge(argument, options)


def _litellm(argument: str, options: JudgeOptions) -> Judge:
    from stef.judge.models import litellm_judge  # noqa: PLC0415  # brings jinja2

    return litellm_judge(argument, options)


def _local(argument: str, options: JudgeOptions) -> Judge:
    from stef.judge.models import local_judge  # noqa: PLC0415  # brings jinja2

    return local_judge(argument, options)


def _recorded(argument: str, _options: JudgeOptions) -> Judge:
    from stef.judge.doubles import RecordedJudge  # noqa: PLC0415  # only here

    if not argument:
        raise JudgeSetupError("recorded needs a file; write: recorded:judgements.jsonl")
    return RecordedJudge(argument)


BUILT_IN: Final = MappingProxyType(
    {"symbolic": _symbolic, "openai": _openai, "litellm": _litellm, "recorded": _recorded, "local": _local}
)


WITHOUT_MODEL: Final = ("symbolic", "recorded")
_OF_MODELS: Final = {"samples": "--samples", "refute": "--refute", "confidence": "--confidence", "sees": "--judge-sees"}


def _check_asks_nothing(name: str, options: JudgeOptions) -> None:
    plain = JudgeOptions()
    for field, option in _OF_MODELS.items():
        if getattr(options, field) != getattr(plain, field):
            raise JudgeSetupError(f"{option} needs a judge that asks a model; {name} asks none")


def _factory(name: str) -> JudgeFactory:
    if name in BUILT_IN:
        return BUILT_IN[name]
    for point in _entry_points():
        if point.name == name:
            return _load(point)
    known = judge_names()
    near = difflib.get_close_matches(name.lower(), known, n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known judges: {', '.join(known)}"
    raise JudgeSetupError(f"unknown judge {name!r}; {hint}")


def _entry_points() -> "tuple[EntryPoint, ...]":
    from importlib.metadata import entry_points  # noqa: PLC0415  # reads the disk; only for judges that are not stef's

    return tuple(entry_points(group=ENTRY_POINTS))


def _load(point: "EntryPoint") -> JudgeFactory:
    try:
        loaded = point.load()
    except (ImportError, AttributeError) as error:
        raise JudgeSetupError(f"judge {point.name!r}: cannot load {point.value}: {error}") from error
    if not callable(loaded):
        raise JudgeSetupError(f"judge {point.name!r}: {point.value} is not a function of (argument, options)")
    factory: JudgeFactory = loaded
    return factory
