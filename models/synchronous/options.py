"""The parameters of synchronous problems: steps, chunks and rounds, and where a task starts or ends."""

from __future__ import annotations

from typing import Any

from schedsolve.modelkit.parameters import ONE_ROOT, ONE_SOURCE, number
from schedsolve.modelkit.record import Parameter
from schedsolve.modelkit.result import Objective
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

ROUNDS_PER_CHUNK = Objective("rounds per chunk")
MOST_STEPS, MOST_CHUNKS, MOST_ROUNDS = 10_000, 10_000, 10**6


def _needs_steps(_: Network) -> Any:
    raise InputError(
        "a synchronous schedule needs --steps S, such as --steps 2;"
        " `schedsolve frontier` with --steps 1..4 shows what more steps are worth"
    )


def _first_compute_node(network: Network) -> Any:
    """Return the label of the network's own first source, or of its first compute node."""
    first = next(iter(network.default_sources or network.compute_nodes or (0,)))
    return network.labels[first]


STEPS = Parameter(
    "steps",
    "S",
    "synchronous: the number of steps",
    number("steps", 1, MOST_STEPS, "synchronous"),
    _needs_steps,
)
CHUNKS = Parameter(
    "chunks",
    "C",
    "synchronous: chunks at every node, of the buffer, or for every pair, as the task has it (default: the"
    " best number)",
    number("chunks", 1, MOST_CHUNKS, "synchronous"),
    lambda _: None,
)
ROUNDS_OF_CHUNKS = Parameter(
    "rounds",
    "R",
    "synchronous: decide whether R rounds suffice for the C chunks",
    number("rounds", 1, MOST_ROUNDS, "synchronous"),
    lambda _: None,
)
SOURCE = Parameter("source", ONE_SOURCE.metavar, ONE_SOURCE.help, ONE_SOURCE.read, _first_compute_node)
ROOT = Parameter("root", "V", ONE_ROOT.help, ONE_ROOT.read, _first_compute_node)
