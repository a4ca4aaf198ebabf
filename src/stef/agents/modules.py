"""`module:function` and `file.py:function` → the object of that name."""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from stef.errors import AgentSetupError
from stef.rules.messages import nearest


def load_object(spec: str) -> Any:
    """The object that `package.module:name` or `path/to/file.py:name` names; the name may have dots.

    As with Python itself, the current folder (or the file's) is where modules are looked for. Raises AgentSetupError.
    """
    home, colon, name = spec.rpartition(":")
    if not colon or not home or not name:
        raise AgentSetupError(f"python:{spec}: write it as python:package.module:function or python:file.py:function")
    found: Any = _module(home)
    for part in name.split("."):
        if not hasattr(found, part):
            known = [one for one in vars(found) if not one.startswith("_")] if hasattr(found, "__dict__") else []
            near = nearest(part, known)
            way_out = f"; did you mean {near!r}?" if near else ""
            raise AgentSetupError(f"python:{spec}: {home} has no {part!r}{way_out}")
        found = getattr(found, part)
    return found


def _module(home: str) -> ModuleType:
    try:
        return _of_file(Path(home)) if home.endswith(".py") else _of_name(home)
    except ModuleNotFoundError as error:
        hint = f"; run stef in the folder that holds {error.name}, or install it" if error.name else ""
        raise AgentSetupError(f"python:{home}: there is no module {error.name!r}{hint}") from error
    except AgentSetupError:
        raise
    except Exception as error:  # a module's own code can raise anything
        raise AgentSetupError(f"python:{home}: importing it raised {type(error).__name__}: {error}") from error


def _of_name(name: str) -> ModuleType:
    _look_in(Path.cwd())
    return importlib.import_module(name)


def _of_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise AgentSetupError(f"python:{path}: there is no such file")
    _look_in(path.resolve().parent)
    # Its own name, if that is free, so that it can be pickled and imported by its neighbours.
    loaded = sys.modules.get(path.stem)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path.resolve()):
        return loaded
    name = path.stem if loaded is None else f"_stef_agent_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise AgentSetupError(f"python:{path}: is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _look_in(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
