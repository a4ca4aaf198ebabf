"""What the figures of agreement are called, and what they say."""

from stef.stats.agreement import Figure

WORDING = {
    Figure.ACCURACY: ("accuracy", "judge and label agree"),
    Figure.KAPPA: ("Cohen's κ", "agreement beyond chance: 0 none, 1 all"),
    Figure.FALSE_ACCEPTS: ("false accepts", "of the wrong turns, those that the judge accepts"),
    Figure.FALSE_REJECTS: ("false rejects", "of the right turns, those that the judge rejects"),
    Figure.AUC: ("AUC", "a right turn ranks above a wrong one: 0.5 chance, 1 always"),
    Figure.WITHIN: ("AUC within a question", "the same among turns of one question"),
    Figure.AVERAGE_PRECISION: ("average precision", "of 'wrong', from the lowest p_correct up"),
    Figure.LOWEST: ("wrong in the lowest 5 %", "of the turns with the lowest p_correct"),
    Figure.CAUGHT: ("wrong caught", "before 10 % of the right turns are met, from the lowest up"),
    Figure.ECE: ("calibration error", "p_correct against the share right, 20 bins of like mass"),
}
"""Title and meaning, in the order of tables."""

SHARES = frozenset(
    {Figure.WRONG, Figure.ACCURACY, Figure.FALSE_ACCEPTS, Figure.FALSE_REJECTS, Figure.LOWEST, Figure.CAUGHT}
)
"""Figures that are read as per cent."""
