"""Prompts: jinja2 templates that are shipped with stef, and can be overridden file by file."""

import functools
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

from stef.errors import JudgeSetupError
from stef.prompts.neutral import Fenced, bullets, fence, neutral, one_line
from stef.resources import resource_path

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

SUFFIX: Final = ".jinja"


class Prompt:
    """One template, ready to render. `hash` is that of its text and of all that it includes."""

    def __init__(self, name: str, prompts_dir: Path | str | None = None) -> None:
        self.name = name
        self._environment = _environment(str(prompts_dir) if prompts_dir is not None else None)
        self.hash = prompts_hash((name,), prompts_dir)
        with _placed(name):
            self._template = self._environment.get_template(name)

    def render(self, **values: Any) -> str:
        """The whole text. Raises JudgeSetupError, with file and line, where the template is broken."""
        with _placed(self.name):
            return self._template.render(**values).strip() + "\n"

    def render_blocks(self, names: Sequence[str], **values: Any) -> tuple[str, ...]:
        """The texts of the blocks `names`. Raises JudgeSetupError, with file and line, where the template is broken."""
        template = self._template
        with _placed(self.name):
            context = template.new_context(values)
            # A block may stand in a template that this one extends.
            parents = list(template.root_render_func(context))
        del parents
        absent = [name for name in names if name not in context.blocks]
        if absent:
            raise JudgeSetupError(f"{template.filename or self.name}: there is no {{% block {absent[0]} %}}")
        with _placed(self.name):
            return tuple("".join(context.blocks[name][0](context)).strip() for name in names)


def render(name: str, prompts_dir: Path | str | None = None, **values: Any) -> str:
    """The prompt `name` (such as `judge.md.jinja`), rendered with `values`.

    A file of that name in `prompts_dir` takes the place of stef's own. Raises JudgeSetupError, with file and line,
    where the template is broken, missing, or asks for a value that is not there.
    """
    return Prompt(name, prompts_dir).render(**values)


def prompts_hash(names: Sequence[str], prompts_dir: Path | str | None = None) -> str:
    """12 hex digits over the texts of the prompts `names`, overrides and included files in force. Order is free."""
    environment = _environment(str(prompts_dir) if prompts_dir is not None else None)
    texts: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in texts:
            texts[name], filename = _source(environment, name)
            waiting.extend(_referenced(environment, name, texts[name], filename))
    digest = hashlib.sha256()
    for name in sorted(texts):
        digest.update(f"{name}\x00{texts[name]}\x00".encode())
    return digest.hexdigest()[:12]


@functools.lru_cache(maxsize=8)
def _environment(prompts_dir: str | None) -> "SandboxedEnvironment":
    from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined  # noqa: PLC0415  # heavy
    from jinja2.sandbox import SandboxedEnvironment  # noqa: PLC0415  # heavy

    own = FileSystemLoader(str(resource_path("prompts")))
    loaders = [PrefixLoader({"stef": own}), own]
    if prompts_dir is not None:
        _check_folder(Path(prompts_dir))
        loaders.insert(0, FileSystemLoader(prompts_dir))
    environment = SandboxedEnvironment(
        loader=ChoiceLoader(loaders),
        undefined=StrictUndefined,
        autoescape=False,  # no HTML; `finalize` neutralises every value
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters.update({"bullets": bullets, "fence": fence, "one_line": one_line})
    return environment


def _finalize(value: object) -> object:
    from jinja2 import Undefined  # noqa: PLC0415  # loaded already

    # An undefined value is left to jinja2, which says its name.
    return value if isinstance(value, Fenced | Undefined) else neutral(str(value))


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise JudgeSetupError(f"prompts folder {folder}: there is no such folder")
    own = sorted(found.name for found in resource_path("prompts").iterdir() if found.name.endswith(SUFFIX))
    if not any((folder / name).is_file() for name in own):
        raise JudgeSetupError(
            f"prompts folder {folder} overrides none of stef's prompts; a file there is named as the one it "
            f"replaces: {', '.join(own)}"
        )


def _source(environment: "SandboxedEnvironment", name: str) -> tuple[str, str | None]:
    if environment.loader is None:
        raise JudgeSetupError(f"{name}: there is no folder to read prompts from")
    with _placed(name):
        text, filename, _ = environment.loader.get_source(environment, name)
    return text, filename


def _referenced(environment: "SandboxedEnvironment", name: str, text: str, filename: str | None) -> list[str]:
    from jinja2 import meta  # noqa: PLC0415  # loaded already

    with _placed(name):
        tree = environment.parse(text, name, filename)
        return [found for found in meta.find_referenced_templates(tree) if found is not None]


@contextmanager
def _placed(name: str) -> Iterator[None]:
    """Turn what a broken template raises into a JudgeSetupError that names the file and line."""
    from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError  # noqa: PLC0415  # loaded already

    try:
        yield
    except TemplateSyntaxError as error:
        raise JudgeSetupError(f"{error.filename or error.name or name}:{error.lineno}: {error.message}") from error
    except TemplateNotFound as error:
        raise JudgeSetupError(f"{_place(error.__traceback__, name)}: there is no prompt {error.name!r}") from error
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, OSError) as error:
        raise JudgeSetupError(f"{_place(error.__traceback__, name)}: {error}") from error
    except RecursionError as error:
        raise JudgeSetupError(f"{name}: the template includes itself without end") from error


def _place(trace: TracebackType | None, name: str) -> str:
    place = name
    while trace is not None:
        known = trace.tb_frame.f_globals
        template = known.get("__jinja_template__")
        if template is not None:
            place = f"{template.filename or name}:{template.get_corresponding_lineno(trace.tb_lineno)}"
        elif "__jinja_exception__" in known:
            place = f"{known['__file__']}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
