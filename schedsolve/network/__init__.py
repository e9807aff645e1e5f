"""Networks and their sources: families, files and machines."""

from __future__ import annotations

from schedsolve.network import other_libraries
from schedsolve.network.graph import Label, Network
from schedsolve.network.named.spec import network_from_spec

Network.from_spec = network_from_spec
Network.conversions = other_libraries

__all__ = ["Label", "Network"]
