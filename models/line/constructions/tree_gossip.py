"""Optimal gossip in undirected trees under the all-port line model.

Source: Cohen, Broadcasting, multicasting and gossiping in trees under the all-port line model,
Section 3: the protocol, and lower bounds that leave a gap of one round. Counted from the two sides of
an edge (`gossip_edge_bound`), they leave none.
"""

from __future__ import annotations

from schedsolve.network.graph import Network

from ..claims.trees import gossip_centre
from .tree_broadcast import Rounds, through_centre, tree_broadcast


def tree_gossip(network: Network) -> Rounds:
    """Return an optimal gossip: b_min + b(T_2^x, x) rounds for x = `gossip_centre`, all calls two-way.

    Everything is accumulated at x and broadcast from there. If a single call ends the accumulation,
    both of its ends know everything after it, so it is the first call of the broadcast as well. That
    the gossip is optimal is proven at `gossip_edge_bound`.

    Raises
    ------
    InputError
        If the network is not an undirected tree.

    References
    ----------
    Cohen, Lemma 5.
    """
    return through_centre(tree_broadcast(network, gossip_centre(network)))
