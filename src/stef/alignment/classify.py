"""The class of a turn's filters: the table of the STEF method's filter alignment."""

from stef.records.alignment import ExtraFilter, FilterAlignment, FilterState, RequiredFilter

_STANDING = frozenset((FilterState.APPLIED, FilterState.UNDECIDED))
_THERE = frozenset((FilterState.APPLIED, FilterState.ALTERED, FilterState.UNDECIDED))


def classify_filters(required: tuple[RequiredFilter, ...], extras: tuple[ExtraFilter, ...]) -> FilterAlignment:
    """The class of `required` and `extras`.

    Nothing required and nothing extra is fully applied. A critical filter (mandatory by rule, or on a critical column)
    that is not applied makes the whole class `not_applied`. An undecided filter is neither missing nor extra.
    """
    if any(filter_.critical and filter_.state not in _STANDING for filter_ in required):
        return FilterAlignment.NOT_APPLIED
    if all(filter_.state in _STANDING for filter_ in required):
        return FilterAlignment.FULLY_APPLIED_WITH_EXTRAS if extras else FilterAlignment.FULLY_APPLIED
    decided = [filter_ for filter_ in required if filter_.state is not FilterState.UNDECIDED]
    if any(filter_.state in _THERE for filter_ in decided):
        return FilterAlignment.PARTIALLY_APPLIED
    return FilterAlignment.NOT_APPLIED
