"""What a reader of networks is told, and the edges and attributes that it finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schedsolve.network.bandwidths import ATTRIBUTE, SWITCH, bandwidth_from_data
from schedsolve.network.files.understood import understood
from schedsolve.network.graph import Label, Network
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.escapes import shell_line

MOST_NAMED = 6
"""The most attributes of a kind that are named."""
TRUE = (True, 1, "1", "true", "True")


@dataclass(frozen=True)
class Reading:
    """How a file is read.

    Attributes
    ----------
    directed
        Whether the lines of an edge list are arcs.
    bandwidth
        The edge attribute that is the bandwidth.
    pcie
        The bandwidth of PCI (`schedsolve.network.files.pci_levels.pcie_from_text`), "" if it is not given.
    """

    directed: bool = False
    bandwidth: str = ATTRIBUTE
    pcie: str = ""


@dataclass(frozen=True)
class Format:
    """A file format.

    Attributes
    ----------
    name
        As people call it.
    endings
        Of files in this format; none for one that is told by its content only.
    parse
        Maps the bytes of a file, and how to read it, to the network; its errors do not name the file.
    compose
        Maps a network to the bytes of a file; None for a format that is only read. A ValueError says that
        the format cannot express the network.
    numbered_from
        The number of the first node in a format without labels, bandwidths and switches.
    arcs
        Whether such a format has arcs: True, False, or None for either.
    weights
        Whether such a format has bandwidths all the same.
    attributes
        Whether edges have attributes with names, one of which may be asked for as the bandwidth.
    pcie
        Whether it has links over PCI without their bandwidths.
    head
        How files in the format begin; None where that says nothing.
    root
        The outermost element of a file in XML, in lower case.
    """

    name: str
    endings: tuple[str, ...]
    parse: Callable[[bytes, Reading], Network]
    compose: Callable[[Network], bytes] | None = None
    numbered_from: int | None = None
    arcs: bool | None = False
    weights: bool = False
    attributes: bool = False
    pcie: bool = False
    head: re.Pattern[str] | None = None
    root: str = ""


def _joined(
    edges: Iterable[tuple[Hashable, Hashable, Mapping[str, Any]]], bandwidth: str, directed: bool
) -> tuple[dict[tuple[Hashable, Hashable], list[Any]], dict[str, None], int]:
    """Return the bandwidths of every pair of nodes, all attributes, and how many edges are parallel."""
    total: dict[tuple[Hashable, Hashable], list[Any]] = {}
    attributes: dict[str, None] = {}
    parallel = 0
    for u, v, data in edges:
        attributes.update(dict.fromkeys(map(str, data)))
        pair = (v, u) if not directed and (v, u) in total else (u, v)
        parallel += pair in total
        given = total.setdefault(pair, [])
        if bandwidth in data:
            given.append(bandwidth_from_data(data[bandwidth]))
    return total, attributes, parallel


def network_of_items(
    nodes: Mapping[Any, Mapping[str, Any]],
    edges: Iterable[tuple[Hashable, Hashable, Mapping[str, Any]]],
    form: str,
    reading: Reading,
    *,
    directed: bool,
    used: Iterable[str] = (),
    label: Callable[[Any], Label],
    left_out: Sequence[str] = (),
) -> Network:
    """Return the network of nodes and edges with attributes, and say which attributes were not used.

    Edges that are given several times count once; if they have bandwidths, these add up.

    Parameters
    ----------
    nodes
        For every node its attributes; `switch` is read.
    edges
        Pairs of nodes with their attributes; `reading.bandwidth` is read.
    form
        The kind of file.
    reading
        How the file is read.
    directed
        Whether the edges are arcs.
    used
        Attributes of nodes that somebody else reads, such as positions.
    label
        Maps a node to its label.
    left_out
        What else the file has that the network does not represent.

    Raises
    ------
    InputError
        If two nodes have the same label, an edge lacks the attribute that was asked for, a bandwidth is not
        valid, or an edge is a loop.
    """
    edges = list(edges)
    total, of_edges, parallel = _joined(edges, reading.bandwidth, directed)
    lacking = [(label(u), label(v)) for u, v, data in edges if reading.bandwidth not in data]
    require_attribute(reading.bandwidth, of_edges, lacking)
    of_nodes = dict.fromkeys(str(name) for data in nodes.values() for name in data)
    labels = [label(v) for v in nodes]
    if len(set(labels)) < len(labels):
        raise InputError("two nodes have the same label; give every node a label of its own")
    network = Network.from_labels(
        labels,
        [(label(u), label(v)) for u, v in total],
        directed=directed,
        bandwidths=[sum(given) or 1 for given in total.values()],
        switches=[label(v) for v, data in nodes.items() if data.get(SWITCH, False) in TRUE],
    )
    left = [name for name in of_nodes if name not in {SWITCH, *used}]
    over = [name for name in of_edges if name != reading.bandwidth]
    takes = usable(over, [data for _, _, data in edges])
    also = [f"{parallel} parallel edges joined"] if parallel else []
    return with_words(network, form, over, left, also, left_out, takes=takes)


def require_attribute(name: str, known: Iterable[str], lacking: Sequence[tuple[Hashable, Hashable]]) -> None:
    """Refuse to read bandwidths from an attribute that a user names and not every edge has.

    Parameters
    ----------
    name
        The attribute; for the one that is read unasked, an edge without it has bandwidth 1.
    known
        The attributes of edges in the file or graph.
    lacking
        The edges without the attribute, by their nodes' labels.

    Raises
    ------
    InputError
        If there are any.
    """
    if name == ATTRIBUTE:
        return
    known = list(known)
    if name not in known:
        raise missing_attribute(name, known)
    if lacking:
        u, v = lacking[0]
        more = "this edge" if len(lacking) == 1 else f"this and {len(lacking) - 1} more edges"
        raise InputError(f"the edge {shown(u)} {shown(v)} has no attribute {shown(name)}; give {more} one")


def missing_attribute(name: str, known: Iterable[str]) -> InputError:
    """Return the error for an attribute that no edge has."""
    others = ", ".join(list(known)[:MOST_NAMED])
    return InputError(f"no edge has the attribute {name!r}" + (f"; they have {others}" if others else ""))


def with_words(
    network: Network,
    form: str,
    of_edges: list[str],
    of_nodes: list[str],
    also: list[str] | None = None,
    left_out: Sequence[str] = (),
    *,
    takes: str = "",
) -> Network:
    """Return the network with the line that names what was not used, if there is anything.

    `takes` is the attribute of edges that could be the bandwidth.
    """
    words = list(also or [])
    if of_edges:
        way = f"; --bandwidth {shell_line(takes)} takes it as bandwidth" if takes else ""
        words.append(f"not used: {_some(of_edges)} of edges{way}")
    if of_nodes:
        words.append(f"not used: {_some(of_nodes)} of nodes")
    if not words and not left_out:
        return network
    return understood(network, form, left_out, also="; ".join(words), whole=False)


def usable(names: Iterable[str], edges: Sequence[Mapping[str, Any]]) -> str:
    """Return the first attribute that every edge has as a positive number, "" if there is none."""
    return next((name for name in names if all(_is_bandwidth(data.get(name)) for data in edges)), "")


def _is_bandwidth(value: object) -> bool:
    try:
        bandwidth_from_data(value)
    except InputError:
        return False
    return True


def _some(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
