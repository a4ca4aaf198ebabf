"""The kernel: a Turn in, an Assessment out. Two pure halves, and the judge's call between them."""

from stef.evaluator.kernel import Evaluator
from stef.evaluator.prepare import Prepared

__all__ = ["Evaluator", "Prepared"]
