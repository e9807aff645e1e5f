"""What a reader of networks is told, and the edges and attributes that it finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from schedsolve.network.assumptions import assumed, distinct, left_out
from schedsolve.network.bandwidths import ATTRIBUTE, SWITCH, bandwidth_from_data
from schedsolve.network.files.understood import Note, understood
from schedsolve.network.graph import Label, Network
from schedsolve.runtime.errors import InputError, counted, shown
from schedsolve.runtime.files.escapes import shell_line

MOST_NAMED = 6
"""The most attributes of a kind that are named."""
TRUE = (True, 1, "1", "true", "True")
NO_SWITCHES = assumed("switches", "no node is a switch (.topo can say which are)")
"""What a reader should know of a machine in a file that cannot mark switches."""
NUMBER = re.compile(r"\s*\+?\.?[0-9]")
"""How a value begins that could be a bandwidth, such as 10, 2.5 or "10 Gbps"."""
NO_BANDWIDTH = re.compile(
    r"cost|price|label|name|colou?r|delay|latency|length|dist|time|date|year|^(?:id|key|type|x|y)$", re.I
)
"""Names of attributes whose numbers mean something else."""


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
    notes: Iterable[Note] = (),
    switches: bool = True,
) -> Network:
    """Return the network of nodes and edges with attributes, and say which attributes were not used.

    Edges that are given several times count once; if they have bandwidths, these add up.

    Parameters
    ----------
    nodes
        For every node its attributes; `switch` is read.
    edges
        Pairs of nodes with their attributes; `reading.bandwidth` is read.
    form, reading, directed
        The kind of file, how it is read, and whether the edges are arcs.
    used
        Attributes of nodes that somebody else reads, such as positions.
    label
        Maps a node to its label.
    notes, switches
        As for `with_words`.

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
    said = f"{parallel} parallel edges joined" if parallel else ""
    rules = [assumed("parallel-edges", said, parallel if lacking else 0), *notes]
    others = [{name: data[name] for name in data if name not in {SWITCH, *used}} for data in nodes.values()]
    given, also = [data for _, _, data in edges], "" if lacking else said
    return with_words(network, form, given, others, rules, also, name=reading.bandwidth, switches=switches)


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
    of_edges: Sequence[Mapping[Any, Any]],
    of_nodes: Iterable[Mapping[Any, Any]] = (),
    notes: Iterable[Note] = (),
    also: str = "",
    *,
    name: str = ATTRIBUTE,
    switches: bool = True,
) -> Network:
    """Return the network with the line that names what was not used, and its assumptions, if there are any.

    Parameters
    ----------
    network, form, notes, also
        As for `schedsolve.network.files.understood.understood`.
    of_edges
        The attributes of every edge.
    of_nodes
        The attributes of nodes that nobody reads.
    name
        The attribute of edges that is their bandwidth.
    switches
        Whether the format can mark switches.
    """
    unread = [key for key in _names(of_edges) if key != name]
    takes = usable(unread, of_edges)
    way = f"; --bandwidth {shell_line(takes)} takes it as bandwidth" if takes else ""
    could = [key for key in unread if _could_be_bandwidth(key, of_edges)]
    unused = left_out("edge-attributes", f"{_some(could)} of edges{way}", len(could))
    network = replace(network, assumptions=distinct([unused]))
    without = sum(name not in data for data in of_edges) % (len(of_edges) or 1)
    unmarked = int(bool(network.bandwidths) and not switches)
    unstated = assumed("bandwidth", f"{counted(without, 'edge')} without a bandwidth as 1", without)
    given = (*notes, unstated, replace(NO_SWITCHES, count=unmarked))
    found = [note for note in given if isinstance(note, str) or note.count]
    words = [also] * bool(also) + [f"not used: {_some(unread)} of edges{way}"] * bool(unread)
    if names := _names(of_nodes):
        words.append(f"not used: {_some(names)} of nodes")
    if not words and not found:
        return network
    return understood(network, form, found, "; ".join(words), whole=not words)


def _names(items: Iterable[Mapping[Any, Any]]) -> list[str]:
    return list(dict.fromkeys(str(name) for data in items for name in data))


def _could_be_bandwidth(name: str, edges: Iterable[Mapping[Any, Any]]) -> bool:
    """Return whether an attribute has numbers, other than 1 for all, and none of another meaning."""
    values = {str(data[name]).strip() for data in edges if name in data}
    return not NO_BANDWIDTH.search(name) and any(map(NUMBER.match, values - {"1", "1.0"}))


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
