"""The sizes that networks and the parameters of their families may have."""

from __future__ import annotations

from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.budget import spend

SIZE_LIMIT = 10_000_000
"""The greatest number of nodes, and of edges, of a network."""


def check_size(nodes: int, edges: int) -> None:
    """Check the size of a network.

    Raises
    ------
    InputError
        If it has more than SIZE_LIMIT nodes or edges.
    OverBudgetError
        If it is larger than the limits for the file that is being read.
    """
    spend("nodes", nodes)
    spend("edges", edges)
    if max(nodes, edges) > SIZE_LIMIT:
        raise InputError(f"the network would be too large; the limit is {SIZE_LIMIT} nodes and as many edges")


def at_least(least: int, **parameters: int) -> None:
    """Raise InputError for the first parameter that is less than `least`."""
    for name, value in parameters.items():
        if value < least:
            raise InputError(f"{name} must be at least {least}, not {value}")
