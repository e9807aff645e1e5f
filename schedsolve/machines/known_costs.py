"""alpha and beta of the machines that have names.

beta: the families of machines have their bandwidths in GB/s, a DGX-1's in links of 25 GB/s a direction
(NVLink 2). alpha: the latency that NCCL's model (`schedsolve.machines.nccl_model`) takes for a hop of a ring
with the protocol Simple: 3.4 us over NVLink, 14 us through a network. For AMD's links, of which that table
has none, the former stands too. Measured figures of one's own are better.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from schedsolve.errors import InputError
from schedsolve.network.graph import Network

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


def known_costs(network: Network) -> KnownCosts | None:
    """Return the costs of a machine that has a name, such as dgx1 or a100:2.

    None of other networks, and of a file that only has such a name.
    """
    match = re.fullmatch(r"(dgx1|a100|h100|mi250)(?::([0-9]{1,4}))?", network.name)
    try:
        if match is None or Network.from_spec(network.name) != network:
            return None
    except InputError:
        return None
    one_box = boxes_of(network) == 1
    unit = "25 GB/s, NVLink 2" if match[1] == "dgx1" else "1 GB/s"
    hop = "NVLink" if one_box else "the network"
    return KnownCosts(
        IN_A_BOX if one_box else BETWEEN_BOXES,
        Fraction(1, 25 * 10**9) if match[1] == "dgx1" else Fraction(1, 10**9),
        f"bandwidth 1 is {unit}; latency over {hop} by src/graph/tuning.cc of NCCL 2.20.3",
    )


def boxes_of(network: Network) -> int:
    """Return the K of a machine's name such as a100:K; 1 without one."""
    count = network.name.rpartition(":")[2]
    return int(count) if count.isdecimal() else 1
