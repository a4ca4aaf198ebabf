"""What every actor has in common: a part comes in, and goes on to the next with its receipt."""

import logging
import pickle
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from stef.errors import StefError
from stef.runs.kernel import bug

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

    from stef.runs.cluster.receipts import Receipt


class Stage(ABC):
    """One step that a part goes through.

    What fails is written on the receipt: Ray brings an error back as text alone.
    """

    def __call__(self, batch: "pa.Table") -> "pa.Table":
        """A part after this step."""
        receipt, held = opened(batch)
        if held is not None and receipt.failure is None:
            try:
                held = self.step(receipt, held)
            except (StefError, OSError) as error:
                receipt.failure, held = error, None
            except Exception as error:  # the one place of this process that makes a message of a bug
                logging.getLogger(__name__).exception("part %d", receipt.part)
                receipt.failure, held = StefError(f"part {receipt.part}: {bug(error)}"), None
        return batch_of(receipt, held)

    @abstractmethod
    def step(self, receipt: "Receipt", held: Any) -> Any:
        """What the next step is handed for a part of which this one was handed `held`; None: all is done."""


def batch_of(receipt: "Receipt", held: Any) -> "pa.Table":
    """A part on its way."""
    import pyarrow as pa  # noqa: PLC0415  heavy

    columns = {"receipt": receipt, "held": held}
    return pa.table({name: pa.array([pickle.dumps(one)], pa.large_binary()) for name, one in columns.items()})


def opened(batch: "pa.Table") -> "tuple[Receipt, Any]":
    """The receipt, and what is held, of a part on its way."""
    receipt, held = (pickle.loads(batch[name][0].as_py()) for name in ("receipt", "held"))  # noqa: S301  stef's own
    return receipt, held
