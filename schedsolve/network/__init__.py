"""Networks, and where they come from: families, files, machines."""

from __future__ import annotations

from schedsolve.network.graph import SIZE_LIMIT, Label, Network, check_size
from schedsolve.network.spec import network_from_spec

Network.from_spec = network_from_spec

__all__ = ["SIZE_LIMIT", "Label", "Network", "check_size"]
