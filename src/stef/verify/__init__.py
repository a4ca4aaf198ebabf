"""The verification ladder: is an answer right, where there is no gold but a database?"""

from stef.verify.ladder import RUNGS, climb
from stef.verify.means import Means
from stef.verify.places import Places
from stef.verify.records import Outcome, Repair, Rung, RungReport, Sign, Stand, Verification

__all__ = [
    "RUNGS",
    "Means",
    "Outcome",
    "Places",
    "Repair",
    "Rung",
    "RungReport",
    "Sign",
    "Stand",
    "Verification",
    "climb",
]
