"""The test judge as tests see it."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class JudgeServer:
    """A judge that answers by the request alone, after `latency` seconds; it writes down what it is asked."""

    url: str
    log: Path
    latency: float

    def asked(self) -> list[bytes]:
        """A digest of each request that has come."""
        return self.log.read_bytes().splitlines()

    def forget(self) -> None:
        """Count anew."""
        self.log.write_bytes(b"")
