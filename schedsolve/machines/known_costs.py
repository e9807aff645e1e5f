"""alpha and beta of machines whose hardware is known: named ones, files of vendors, and their clusters.

beta: a machine's name or file says how many GB/s bandwidth 1 is (`schedsolve.network.hardware`): a DGX-1's
and DGX-2's NVLink 25 GB/s a direction, an NVL72's 50, an MI300X's link 64; the others are in GB/s. alpha: the
latency that the file states, else the one that NCCL's model (`schedsolve.machines.nccl_model`) takes for a
hop of a ring with the protocol Simple: 3.4 us over NVLink, 14 us through a network. For AMD's links, of which
that table has none, the former stands too. Measured figures of one's own are better.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from schedsolve.network.graph import Network
from schedsolve.network.hardware import Hardware
from schedsolve.network.named.families import family_network, is_family
from schedsolve.runtime.errors import InputError

IN_A_BOX, BETWEEN_BOXES = Fraction(34, 10**7), Fraction(14, 10**6)


class KnownCosts(NamedTuple):
    """alpha: seconds of latency.

    Attributes
    ----------
    beta
        Seconds a byte on a link of bandwidth 1.
    source
        Of both.
    """

    alpha: Fraction
    beta: Fraction
    source: str


ASSUMED = KnownCosts(
    IN_A_BOX,
    Fraction(1, 10**9),
    "assumed, as this machine is not known: one box, bandwidth 1 is 1 GB/s, latency as in known ones",
)
"""Of any other network: the unit in which most files of machines count, and the latency within a box."""


def known_costs(network: Network) -> KnownCosts | None:
    """Return the costs of a machine whose hardware is known, or None."""
    known = known_hardware(network)
    if known is None:
        return None
    beta, unit = 1 / (known.gigabytes * 10**9), f"bandwidth 1 is {known.gigabytes} GB/s"
    if known.latency is not None:
        return KnownCosts(known.latency, beta, f"{unit}; latency as the file says")
    hop = "the links of a box" if known.boxes == 1 else "the network"
    return KnownCosts(
        IN_A_BOX if known.boxes == 1 else BETWEEN_BOXES,
        beta,
        f"{unit}; latency over {hop} by src/graph/tuning.cc of NCCL 2.20.3",
    )


def known_hardware(network: Network) -> Hardware | None:
    """Return what is known of a machine; of a saved one only if it is the one of its name."""
    if network.hardware is not None or not is_family(network.name):
        return network.hardware
    try:
        named = family_network(network.name)
    except InputError:
        return None
    return named.hardware if named == network else None
