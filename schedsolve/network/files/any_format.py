"""Reading and writing networks in files.

A format is told by the content of a file before the ending of its name (`schedsolve.network.files.formats`).
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from schedsolve.network.bandwidths import ATTRIBUTE
from schedsolve.network.files.line_formats import refuse_packed
from schedsolve.network.files.reading import Reading
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.whole_file import write_whole
from schedsolve.runtime.limits.budget import limit_of, naming, spend, within

if TYPE_CHECKING:
    from schedsolve.network.files.reading import Format

STANDARD_INPUT = "-"


def is_network_file(spec: str) -> bool:
    """Return whether `spec` ends like a network file, in any case, or is "-", a file on standard input."""
    if "." not in spec:
        return spec == STANDARD_INPUT
    from schedsolve.network.files.formats import ENDINGS

    return spec.lower().endswith(tuple(ENDINGS))


@within()
def read_network(
    path: str | PathLike[str], *, directed: bool = False, bandwidth: str = ATTRIBUTE, pcie: str = ""
) -> Network:
    """Return the network in a file, in the format that its content tells, else its ending.

    It has the labels of the file (counted from 1 in DIMACS and minimum-broadcast-time files, from 0 in
    graph6) and the file's name; a minimum-broadcast-time file also gives the default sources.

    Parameters
    ----------
    path
        The file, or "-" for standard input.
    directed
        Whether the lines of an edge list are arcs; GraphML and JSON files say so themselves.
    bandwidth
        The attribute of edges that is their bandwidth.
    pcie
        The bandwidth of PCI, such as "gen4x16", for files that say what it joins and not how fast.

    Raises
    ------
    InputError
        Naming the file, if it cannot be read, is malformed, or is undirected although `directed` is set.
    """
    from schedsolve.network.files.formats import format_of, parsed

    by_ending = _format_of(path)
    try:
        most = limit_of("bytes")
        with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else Path(path).open("rb") as file:
            data = file.read(-1 if most is None else most + 1)
    except (OSError, ValueError) as error:
        raise _unusable(path, "read", error) from None
    with naming(path):
        spend("bytes", len(data))
        refuse_packed(data)
        form = format_of(data.decode("utf-8-sig", errors="replace"), by_ending)
        network = parsed(form, data, Reading(directed, bandwidth, pcie))
        if directed and not network.directed:
            raise InputError(
                "the file holds an undirected graph; --directed reads an edge list (.edges) as arcs"
            )
    return replace(network, name="standard input" if path == STANDARD_INPUT else Path(path).name)


def write_network(network: Network, path: str | PathLike[str]) -> None:
    """Write the network to a file, in the format that its ending selects.

    Default sources belong to the problem; only .mbt and .in files record them. An .edges file with arcs must
    be read with `directed`. Where a format numbers the nodes from 1, a network on 0..n-1 is written on 1..n.

    Raises
    ------
    InputError
        If the format cannot express the labels or the arcs, or if the file cannot be written.
    """
    from schedsolve.network.files.formats import format_of, parsed

    file_format = _format_of(path)
    if file_format.compose is None:
        raise InputError(f"cannot write {path}: the format is only read; write .topo, .json or .edges")
    first, n = file_format.numbered_from, network.node_count
    if first is not None and file_format.arcs not in (None, network.directed):
        raise InputError(f"cannot write {path}: the format has no arcs; write .edges, .graphml or .json")
    if first is not None and not network.is_plain and not file_format.weights:
        raise InputError(
            f"cannot write {path}: the format has neither bandwidths nor switches; write .topo,"
            " .json or .graphml"
        )
    if first is not None and network.labels not in (tuple(range(first, first + n)), tuple(range(n))):
        raise InputError(
            f"cannot write {path}: the format numbers the nodes {first}..{first + n - 1}; to keep the labels"
            " write .json"
        )
    why = "a label is empty, a number kept as text, or has a blank, '#' or a special character"
    try:
        data = file_format.compose(network)
        again = parsed(format_of(data.decode(), file_format), data, Reading(network.directed))
        kept = network if first is None else replace(network, labels=again.labels)
        survives = _kept(again) == _kept(kept)
    except ValueError as error:
        survives, why = False, str(error) if type(error) is ValueError else why
    if not survives and network.switches:
        raise InputError(f"cannot write {path}: the format has no switches; write .topo, .json or .graphml")
    if not survives:
        raise InputError(f"cannot write {path}: {why}")
    write_whole(data, path)


def _format_of(path: str | PathLike[str]) -> Format:
    from schedsolve.network.files.formats import ENDINGS
    from schedsolve.network.files.line_formats import EDGES

    if path == STANDARD_INPUT:
        return EDGES
    for ending, file_format in ENDINGS.items():
        if str(path).lower().endswith(ending):
            return file_format
    raise InputError(
        f"the ending of {str(path)!r} tells no network format; the endings are {' '.join(ENDINGS)}"
    )


def _unusable(path: str | PathLike[str], verb: str, error: Exception) -> InputError:
    return InputError(f"cannot {verb} {str(path)!r}: {getattr(error, 'strerror', None) or error}")


def _kept(network: Network) -> tuple[object, ...]:
    """Return what a file must preserve: direction, labels, switches, and edges with their bandwidths."""
    pairs = [(network.labels[u], network.labels[v]) for u, v in network.edges]
    ends = pairs if network.directed else list(map(frozenset, pairs))
    switches = {network.labels[v] for v in network.switches}
    return (
        network.directed,
        set(network.labels),
        switches,
        set(ends),
        dict(zip(ends, network.bandwidths or (1,) * len(ends), strict=True)),
    )
