"""Parameters that several models share.

The source, the root, the targets, a number of rounds to decide, and a period.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from schedsolve.modelkit.form import is_label
from schedsolve.modelkit.problem import is_choice
from schedsolve.modelkit.record import Parameter
from schedsolve.network.graph import Label, Network
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import whole_number


def labels_of(value: Any, network: Network, name: str) -> list[Label]:
    """Return the labels that an option ("3", "1,5") or a JSON value (3, "a", [1, 5]) names, in node order.

    Parameters
    ----------
    value
        The value.
    network
        The network whose nodes it names.
    name
        The option's name, for errors.

    Raises
    ------
    InputError
        For anything else, an unknown node, and a node named twice.
    """
    if isinstance(value, str) and "," in value and value not in network.labels:
        value = value.split(",")
    several = isinstance(value, list | tuple | set | frozenset) and not network.has_node(value)
    values = list(value) if several else [value]
    if (
        isinstance(value, tuple)
        and values
        and not any(network.has_node(x) or isinstance(x, str) for x in values)
    ):
        network.node(value)
    if not values or not all(network.has_node(x) or is_label(x) for x in values):
        raise InputError(f"--{name} takes labels of nodes, as 3 or 1,5; not {value!r:.60}")
    nodes = [network.node(x.strip() if isinstance(x, str) else x) for x in values]
    if len(set(nodes)) < len(nodes):
        raise InputError(f"--{name} names a node twice")
    return [network.labels[v] for v in sorted(nodes)]


def _source(value: Any, network: Network) -> Any:
    if is_choice(value, network):
        return value
    labels = labels_of(value, network, "source")
    return labels[0] if len(labels) == 1 else labels


def _root(value: Any, network: Network) -> Any:
    if is_choice(value, network):
        return value
    labels = labels_of(value, network, "root")
    if len(labels) > 1:
        raise InputError("--root takes one node, min or max")
    return labels[0]


def _rounds(value: Any, _: Network) -> int:
    number = whole_number(value, 0, MOST_ROUNDS, text=True)
    if number is None:
        raise InputError(
            f"--rounds takes a number of rounds, 0 or more and at most {MOST_ROUNDS}, which is more than any"
            f" schedule needs; not {shown(value)}"
        )
    return number


LONGEST_PERIOD, MOST_ROUNDS = 10**6, 10**9 - 1


def _ports(value: Any, _: Network) -> int | str:
    if value == "all":
        return "all"
    number = whole_number(value, 1, 10**9 - 1, text=True)
    if number is None:
        raise InputError(f"--ports takes a number of ports from 1 on, or all; not {shown(value)}")
    return number


def _period(value: Any, _: Network) -> int | str:
    if value == "min":
        return "min"
    number = whole_number(value, 1, LONGEST_PERIOD, text=True)
    if number is None:
        raise InputError(
            f"--period takes a number of rounds from 1 to {LONGEST_PERIOD}, or min; not {shown(value)}"
        )
    return number


def number(name: str, least: int, most: int, model: str) -> Callable[[Any, Network], int]:
    """Return what reads a whole number of a model's parameter, from `least` to `most`."""

    def read(value: Any, _: Network) -> int:
        found = whole_number(value, least, most, text=True)
        if found is None:
            raise InputError(
                f"--{name} takes a number from {least} to {most} for {model}, not {shown(value)}"
            )
        return found

    return read


def flag(name: str, text: str) -> Parameter:
    """Return a parameter that is true or not given.

    Parameters
    ----------
    name
        With underscores.
    text
        What it means, for the help.
    """

    def read(value: Any, _: Network) -> bool | None:
        if not isinstance(value, bool):
            raise InputError(f"--{name.replace('_', '-')} is true or false, not {value!r:.60}")
        return value or None

    return Parameter(name, None, text, read, lambda _: None)


def _needs_targets(network: Network) -> Any:
    raise InputError("a multicast needs --targets A,B,...: the nodes that must receive the message")


SOURCE = Parameter(
    "source",
    "V|A,B|min|max",
    "the node or nodes that hold the message at the start (default: the first node, or what the network's"
    " file names); min and max: the best and the worst single source",
    _source,
    lambda network: _source([network.labels[v] for v in network.default_sources or (0,)], network),
)
ONE_SOURCE = Parameter("source", "V", SOURCE.help, _source, SOURCE.default)
ROOT = Parameter(
    "root",
    "V|min|max",
    "the node that must learn everything (default: the first node); min and max: the best and the worst root",
    _root,
    lambda network: network.labels[0],
)
ONE_ROOT = Parameter("root", "V", ROOT.help, _root, ROOT.default)
TARGETS = Parameter(
    "targets",
    "A,B",
    "the nodes that must receive the message of a multicast; the others may relay it",
    lambda value, network: labels_of(value, network, "targets"),
    _needs_targets,
)
ROUNDS = Parameter(
    "rounds",
    "M",
    "decide whether M rounds suffice, instead of finding the least number",
    _rounds,
    lambda network: None,
)
PORTS = Parameter(
    "ports",
    "K|all",
    "in how many calls a node may take part in one round (default: all)",
    _ports,
    lambda network: "all",
)
PERIOD = Parameter(
    "period",
    "P|min",
    "the calls repeat every P rounds; min: the least period whose optimum is that without a period",
    _period,
    lambda network: None,
)
EDGE_COLOURING = flag("edge_colouring", "use every edge at most once in a period")
ORDERED = flag(
    "ordered", "reductions: the operation is not commutative, and sums keep the order of the nodes"
)
