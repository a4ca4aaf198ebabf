"""A run over a Ray cluster: Ray Data carries the parts of a log through actors that run the halves of the kernel.

Part k is what it would be on one machine, byte for byte: it holds the input rows k·N…, and is a function of turns,
judgements and settings alone. Hence what a kill leaves is taken over part by part. The calls of a judge are made in a
pool of actors of their own; a single actor, the ledger, lets each through, and keeps what was paid for.
"""

from stef.runs.cluster.means import Make, Means
from stef.runs.cluster.run import score_on_cluster
from stef.runs.cluster.session import Cluster

__all__ = ["Cluster", "Make", "Means", "score_on_cluster"]
