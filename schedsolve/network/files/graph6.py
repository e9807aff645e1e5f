"""Networks as graph6 strings."""

from __future__ import annotations

from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError


def network_from_graph6(text: str) -> Network:
    """Return the network on nodes 0..n-1 that a graph6 string encodes.

    A `>>graph6<<` header may precede the string.

    Raises
    ------
    InputError
        If the text is not a graph6 string, or encodes the empty graph.
    """
    import networkx

    body = text.strip().removeprefix(">>graph6<<")
    if not body:
        raise InputError("there is no graph6 string")
    for character in body:
        if not "?" <= character <= "~":
            raise InputError(
                f"{character!r} is no graph6 character, which run from ? to ~; sparse6 and digraph6"
                " have the endings .s6 and .d6"
            )
    try:
        graph = networkx.from_graph6_bytes(body.encode("ascii"))
    except (networkx.NetworkXError, ValueError, IndexError):
        raise InputError(
            "the length of the graph6 string does not fit the number of nodes at its beginning"
        ) from None
    return Network(graph.number_of_nodes(), tuple(graph.edges()), name=f"graph6:{body}")
