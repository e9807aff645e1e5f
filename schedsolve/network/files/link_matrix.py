"""Link matrices as in msccl-tools: links[to][from] is the bandwidth, 0 for no link.

They stand in JSON, alone or in a topology object, or as a square of numbers in a text file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.network.assumptions import Assumption, left_out
from schedsolve.network.bandwidths import Bandwidth, bandwidth_from_data
from schedsolve.network.files.line_formats import text_of
from schedsolve.network.files.reading import NO_SWITCHES, Format, Reading
from schedsolve.network.files.understood import understood
from schedsolve.network.graph import Network
from schedsolve.network.sizes import check_size
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import whole_number

FORM = "msccl link matrix"
KEYS = {"msccl_type", "name", "links", "switches"}
SHORTEST_TEXT = 4
"""The least number of columns of a matrix; a text with fewer is an edge list."""


def is_link_matrix(data: Any) -> bool:
    """Return whether JSON data are a link matrix, or an object that has one."""
    rows = data.get("links") if isinstance(data, Mapping) else data
    if isinstance(data, Mapping) and data.get("msccl_type") == "topology":
        return True
    return (
        isinstance(rows, list)
        and len(rows) > 0
        and all(isinstance(row, list) for row in rows)
        and (not isinstance(data, Mapping) or {"nodes", "format"}.isdisjoint(data))
    )


def network_from_link_matrix(data: Any) -> Network:
    """Return the network of the matrix, undirected if the matrix is symmetric.

    Raises
    ------
    InputError
        With row and column, if an entry is not a bandwidth.
    """
    rows = data.get("links") if isinstance(data, Mapping) else data
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise InputError('a topology of msccl-tools has "links", a list of rows')
    others = data if isinstance(data, Mapping) else {}
    limits = others["switches"] if isinstance(others.get("switches"), list) else []
    said = f"{len(limits)} limits on groups of links (switches of msccl-tools)"
    unread = [left_out("fields", shown(key)) for key in others if key not in KEYS]
    return _network(rows, [left_out("limits", said, len(limits)), *unread])


def is_matrix_text(text: str) -> bool:
    """Return whether a text is a square of numbers with at least `SHORTEST_TEXT` columns."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    return len(rows) >= SHORTEST_TEXT and all(
        len(row) == len(rows) and all(whole_number(word, text=True) is not None for word in row)
        for row in rows
    )


def network_from_rows(rows: list[list[str]]) -> Network:
    """Return the network of a square of whole numbers."""
    numbers = [[int(word) for word in row] for row in rows]
    return _network(numbers, [NO_SWITCHES] * any(max(row) > 1 for row in numbers))


def parse_matrix_text(data: bytes, reading: Reading) -> Network:
    """Return the network of a text for which `is_matrix_text` holds."""
    return network_from_rows([line.split() for line in text_of(data).splitlines() if line.strip()])


def _network(rows: list[list[Any]], notes: list[Assumption]) -> Network:
    n = len(rows)
    check_size(n, n * n)
    links: dict[tuple[int, int], Bandwidth] = {}
    for to, row in enumerate(rows):
        if len(row) != n:
            raise InputError(f"row {to} of the links has {len(row)} numbers, and there are {n} rows")
        for start, value in enumerate(row):
            if value == 0 and not isinstance(value, bool):
                continue
            if start == to:
                raise InputError(f"row {to}, column {start}: {shown(value)} is a link of a node to itself")
            try:
                links[start, to] = bandwidth_from_data(value)
            except InputError as error:
                raise InputError(f"row {to}, column {start}: {error}") from None
    directed = any(links.get((v, u)) != bandwidth for (u, v), bandwidth in links.items())
    kept = links if directed else {(u, v): b for (u, v), b in links.items() if u < v}
    network = Network(n, tuple(kept), directed=directed, bandwidths=tuple(kept.values()))
    return understood(network, FORM, notes)


MATRIX = Format("link matrix", (), parse_matrix_text)
