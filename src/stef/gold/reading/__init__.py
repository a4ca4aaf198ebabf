"""Reading the reports of a gold run: symptoms, means with their n, slices, ceilings, times."""

from stef.gold.reading.ambiguous import CaseReadings, Readings, readings_of
from stef.gold.reading.behaviour import Behaviour, Pair, behaviour_of
from stef.gold.reading.extractors import EmptyExtractor, settled
from stef.gold.reading.figures import Figures, Mean, Rate, Times, figures_of, mean_of, rate_of, times_of
from stef.gold.reading.overview import AgentOverview, Overview, ScorerFault, Slice, overview_of
from stef.gold.reading.phrasings import Phrasings, QuestionPhrasings, phrasings_of
from stef.gold.reading.reliability import Reliability, Tally, reliability_of, tally_of
from stef.gold.reading.rows import FIGURES, ReportRow
from stef.gold.reading.stages import StageRate, stage_rates
from stef.gold.reading.symptoms import SYMPTOMS, symptom_of

__all__ = [
    "FIGURES",
    "SYMPTOMS",
    "AgentOverview",
    "Behaviour",
    "CaseReadings",
    "EmptyExtractor",
    "Figures",
    "Mean",
    "Overview",
    "Pair",
    "Phrasings",
    "QuestionPhrasings",
    "Rate",
    "Readings",
    "Reliability",
    "ReportRow",
    "ScorerFault",
    "Slice",
    "StageRate",
    "Tally",
    "Times",
    "behaviour_of",
    "figures_of",
    "mean_of",
    "overview_of",
    "phrasings_of",
    "rate_of",
    "readings_of",
    "reliability_of",
    "settled",
    "stage_rates",
    "symptom_of",
    "tally_of",
    "times_of",
]
