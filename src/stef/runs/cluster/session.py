"""Ray itself: where it is found, how it is started, and its errors in stef's words."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from stef.errors import StefError, UserError

_OBJECT_STORE: Final = 512 * 2**20
"""Bytes of shared memory on this machine: parts pass through it, and each is small."""

_KNOCK: Final = 10.0
"""Seconds that a cluster has to answer."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where and how wide. `address`: of a running cluster (None: one on this machine, as wide as it is).

    `readers` actors run the halves (None: as many as there are processors), `askers` make the calls.
    """

    address: str | None = None
    readers: int | None = None
    askers: int = 2


def ray_with_data() -> Any:
    """The module `ray`, with `ray.data` in it. Raises UserError where it is not installed."""
    try:
        import ray  # noqa: PLC0415  heavy, and not always there
        import ray.data  # noqa: PLC0415
    except ImportError as error:
        raise UserError(f"--engine ray needs ray ({error}): pip install 'stef[ray]'") from error
    return ray


@contextmanager
def joined(cluster: Cluster) -> Iterator[Any]:
    """Ray, joined or started; what was started here ends with the context.

    What Ray raises inside comes out as the error of stef's own that caused it, else as a StefError.
    """
    ray = ray_with_data()
    mine = not ray.is_initialized()
    try:
        if mine:
            _start(ray, cluster.address)
        yield ray
    except (StefError, OSError):
        raise
    except Exception as error:  # Ray's own errors have no base of their own
        raise _plain(error) from error
    finally:
        if mine:
            ray.shutdown()


def _start(ray: Any, address: str | None) -> None:
    # Nothing is sent anywhere but to the judge that was named: ray would report its use.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if address is not None:
        _knock(address)
    with _silent():
        if address is not None:
            try:
                ray.init(address=address, **quiet)
            except ConnectionError as error:
                raise UserError(
                    f"--ray-address {address}: {error}; is it there, and does it ask for a token (RAY_AUTH_MODE=token)?"
                ) from error
        else:
            ray.init(address="local", include_dashboard=False, object_store_memory=_OBJECT_STORE, **quiet)


def _knock(address: str) -> None:
    """Raise UserError where nobody listens: Ray would try for a quarter of an hour, without a word."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not port.isdigit():
        return  # such as `auto`
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_KNOCK).close()
    except OSError as error:
        raise UserError(f"--ray-address {address}: {error.strerror or error}; is the cluster there?") from error


@contextmanager
def _silent() -> Iterator[None]:
    """Nothing on standard error, from C++ neither: as Ray starts it says how it logs. What fails it raises."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _plain(error: Exception) -> Exception:
    """stef's own error inside of Ray's, where there is one; what others there are say with Ray's last word."""
    cause: BaseException | None = getattr(error, "cause", error)
    if isinstance(cause, StefError):
        return cause
    return StefError(f"the cluster failed: {type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}")
