"""The dimensions of a Spec beside its filters, each aligned by a function of the same shape."""

from stef.alignment.dimensions.aggregations import align_aggregations
from stef.alignment.dimensions.distinct import align_distinct
from stef.alignment.dimensions.grouping import align_grouping
from stef.alignment.dimensions.limits import align_limit
from stef.alignment.dimensions.ordering import align_ordering
from stef.alignment.dimensions.projections import align_projections
from stef.alignment.dimensions.set_operations import align_set_operations

DIMENSIONS = (
    align_projections,
    align_aggregations,
    align_grouping,
    align_ordering,
    align_limit,
    align_distinct,
    align_set_operations,
)

__all__ = ["DIMENSIONS"]
