"""Reading the reports of a gold run: symptoms, means with their n, slices, ceilings, times."""

from stef.gold.reading.figures import Figures, Mean, Rate, Times, figures_of, mean_of, rate_of, times_of
from stef.gold.reading.overview import AgentOverview, Overview, ScorerFault, Slice, overview_of
from stef.gold.reading.phrasings import Phrasings, QuestionPhrasings, phrasings_of
from stef.gold.reading.rows import FIGURES, ReportRow
from stef.gold.reading.symptoms import SYMPTOMS, symptom_of

__all__ = [
    "FIGURES",
    "SYMPTOMS",
    "AgentOverview",
    "Figures",
    "Mean",
    "Overview",
    "Phrasings",
    "QuestionPhrasings",
    "Rate",
    "ReportRow",
    "ScorerFault",
    "Slice",
    "Times",
    "figures_of",
    "mean_of",
    "overview_of",
    "phrasings_of",
    "rate_of",
    "symptom_of",
    "times_of",
]
