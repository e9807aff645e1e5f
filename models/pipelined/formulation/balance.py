"""Networks whose switches have as much bandwidth in as out, from those that have not.

The larger side gives way.
"""

from __future__ import annotations

from fractions import Fraction

from schedsolve.network.graph import Network

from ..rules.demand import Link

MOST_ROUNDS = 40


def balanced_part(network: Network) -> Network | None:
    """Return the directed network in which every switch is balanced.

    The links on the larger side of every switch have less bandwidth, all in the same proportion; None when
    that does not come to an end, as it may where switches are joined to switches.

    What can be done in it can be done in the whole network; not the other way round.
    """
    bandwidths: dict[Link, Fraction] = {link: Fraction(b) for link, b in network.bandwidth_of.items()}
    for _ in range(MOST_ROUNDS):
        changed = False
        for w in sorted(network.switches):
            entering = [link for link in bandwidths if link[1] == w]
            leaving = [link for link in bandwidths if link[0] == w]
            inward, outward = (
                sum((bandwidths[link] for link in side), Fraction(0)) for side in (entering, leaving)
            )
            if inward == outward:
                continue
            changed = True
            for link in entering if inward > outward else leaving:
                bandwidths[link] *= min(inward, outward) / max(inward, outward)
            bandwidths = {link: b for link, b in bandwidths.items() if b}
        if not changed:
            return Network(
                network.node_count,
                tuple(bandwidths),
                True,
                network.labels,
                bandwidths=tuple(bandwidths.values()),
                switches=network.switches,
            )
    return None
