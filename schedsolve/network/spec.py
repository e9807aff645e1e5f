"""Networks as a problem names them: a family's text or a file on the command line, a text or node-link JSON
in saved files.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from schedsolve.errors import InputError, did_you_mean
from schedsolve.network.families import families, family_network, is_family
from schedsolve.network.files import STANDARD_INPUT, is_network_file, read_network
from schedsolve.network.graph import Network
from schedsolve.network.node_link import network_from_json, network_to_json


def network_from_spec(spec: str, *, directed: bool = False) -> Network:
    """The network that the text `spec` asks for: a named family ("cycle:9"), or the path of a file, known by
    its ending.

    directed: read an edge list as arcs.
    Raises InputError for an unknown family, a wrong parameter, or an unreadable file.
    """
    if is_network_file(spec):
        return read_network(spec, directed=directed)
    if is_family(spec):
        if directed:
            raise InputError(
                "--directed reads an edge-list file as arcs; a named family says itself whether it has arcs"
            )
        return family_network(spec)
    near = did_you_mean(spec.partition(":")[0], [family.name for family in families()])
    raise InputError(
        f"unknown network '{spec}'{near or ':'} give a family such as cycle:9 (`schedsolve networks` lists"
        " them), a file ending in .edges .txt .dimacs .col .g6 .graphml .json .topo .xml .mbt .in, or - for"
        " an edge list on standard input"
    )


def network_to_data(network: Network) -> str | dict[str, Any]:
    """The network as saved files name it: a family's text when that text gives exactly this network, else
    node-link JSON.
    """
    if is_family(network.name):
        with suppress(InputError):
            if family_network(network.name) == network:
                return network.name
    return {"name": network.name, **network_to_json(network)}


def network_from_data(data: Any) -> Network:
    """The network that `network_to_data` wrote. Raises InputError when it is none."""
    if data == STANDARD_INPUT:
        raise InputError(f"a saved file cannot have the network '{STANDARD_INPUT}', standard input")
    if isinstance(data, str):
        return network_from_spec(data)
    network = network_from_json(data)
    return replace(network, name=str(data.get("name", "") if isinstance(data, Mapping) else ""))
