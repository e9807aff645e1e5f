"""Networks by name: a family's text or a file on the command line, a text or node-link JSON in files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from schedsolve.network.bandwidths import ATTRIBUTE
from schedsolve.network.files.any_format import STANDARD_INPUT, is_network_file, read_network
from schedsolve.network.files.node_link import network_from_json, network_to_json
from schedsolve.network.graph import Network
from schedsolve.network.named.derived import derived_network, is_derived, originals
from schedsolve.network.named.families import families, family_network, is_family
from schedsolve.network.named.known_as import known_as
from schedsolve.runtime.errors import InputError, did_you_mean, shown


def network_from_spec(
    spec: str, *, directed: bool = False, bandwidth: str = ATTRIBUTE, pcie: str = ""
) -> Network:
    """Return the network that a text names: a family ("cycle:9"), or a file with a known ending.

    Either may have holes or be the box of a cluster: see `schedsolve.network.named.derived`.

    Parameters
    ----------
    spec
        The text.
    directed
        Whether an edge list is read as arcs.
    bandwidth
        The attribute of edges in a file that is their bandwidth.
    pcie
        The bandwidth of PCI in a file that does not say it, such as "gen4x16".

    Raises
    ------
    InputError
        If the family is unknown, a parameter is not valid, or the file cannot be read.
    """
    if not isinstance(spec, str):
        raise InputError(f"the text of a network is such as cycle:9; not {shown(spec)}")
    if is_network_file(spec):
        return read_network(spec, directed=directed, bandwidth=bandwidth, pcie=pcie)
    if is_family(spec):
        if bandwidth != ATTRIBUTE:
            raise InputError("--bandwidth names an attribute of edges in a file; a named family has its own")
        if pcie:
            raise InputError("--pcie gives the bandwidths of PCI in a file; a named family has its own")
        if directed:
            raise InputError(
                "--directed reads an edge-list file as arcs; a named family says itself whether it has arcs"
            )
        return family_network(spec)
    if is_derived(spec) and STANDARD_INPUT not in originals(spec):

        def read(part: str) -> Network:
            # A family beside a file takes no options of files.
            if is_family(part):
                return family_network(part)
            return network_from_spec(part, directed=directed, bandwidth=bandwidth, pcie=pcie)

        return derived_network(spec, read)
    raise _unknown(spec)


def _unknown(spec: str) -> InputError:
    """Return the error for a text that names no network, with what comes near."""
    from schedsolve.network.classes.sets import is_set
    from schedsolve.network.files.formats import ENDINGS

    if is_set(spec):
        return InputError(
            f"'{spec}' is a set of networks; it stands in a sweep's list of problems, and one network here"
        )
    if os.path.isfile(spec):
        return InputError(
            f"the ending of '{spec}' names no format of networks; there are {' '.join(ENDINGS)}: links as"
            " lines 'FROM TO' or 'FROM TO BANDWIDTH' are .edges"
        )
    near = known_as(spec) or did_you_mean(
        spec.partition(":")[0].lower(), [family.name for family in families()]
    )
    return InputError(
        f"unknown network '{spec}'{near or ':'} give a family such as cycle:9 (`schedsolve list networks`"
        f" lists them), a file ending in {' '.join(ENDINGS)}, or - for an edge list on standard input"
    )


def network_to_data(network: Network) -> str | dict[str, Any]:
    """Return how saved files name the network.

    This is a family's text if that text gives exactly this network, else node-link JSON.
    """
    if is_family(network.name):
        with suppress(InputError):
            if family_network(network.name) == network:
                return network.name
    return {"name": network.name, **network_to_json(network)}


def network_from_data(data: Any) -> Network:
    """Return the network that `network_to_data` wrote.

    Raises
    ------
    InputError
        If the data do not describe a network.
    """
    if data == STANDARD_INPUT:
        raise InputError(f"a saved file cannot have the network '{STANDARD_INPUT}', standard input")
    if isinstance(data, str):
        return network_from_spec(data)
    network = network_from_json(data)
    return replace(network, name=str(data.get("name", "") if isinstance(data, Mapping) else ""))
