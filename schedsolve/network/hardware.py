"""What is known of the hardware that a network stands for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Hardware:
    """What a machine's name or file says beside its links.

    Attributes
    ----------
    gigabytes
        GB/s of bandwidth 1, in each direction.
    ports
        The labels of the network ports, in order; all are switches.
    cables
        Whether the one link of a port stands for the port's own speed, and not for PCI.
    boxes
        How many boxes there are.
    latency
        Seconds that a message takes beside the time of its bytes, if the file says so.
    """

    gigabytes: Fraction
    ports: tuple[str, ...] = ()
    cables: bool = False
    boxes: int = 1
    latency: Fraction | None = None
