"""A problem is pure data: a model, a task, a network and parameters, in the network's own labels; its files
and its stable id.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from schedsolve.errors import InputError
from schedsolve.network.graph import Network
from schedsolve.network.links import MOST_LINKS, links_to_json, network_from_links
from schedsolve.network.spec import network_from_data, network_to_data
from schedsolve.task import Demand, accumulation_demand, broadcast_demand, gossip_demand, multicast_demand


@dataclass(frozen=True)
class Problem:
    """What is asked: the least number of rounds (or cost, or time) of a task on a network under a model's
    rules.

    model, task: names, such as "telegraph" and "gossip".
    parameters: JSON values by name; nodes are given by label. `schedsolve.models.build_problem` fills in
    defaults and refuses what a model does not know, so go through it unless the parameters are complete.
    """

    model: str
    task: str
    network: Network
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def node_parameter(self) -> Literal["source", "root"]:
        """The name of the parameter that says at which node the task starts or ends."""
        return "root" if self.task in ("accumulation", "product", "gather", "reduce") else "source"

    @property
    def choice(self) -> Literal["min", "max"] | None:
        """Whether the source (or root) is left open: the best one ("min"), the worst one ("max"), or None
        when it is given.
        """
        value = self.parameters.get(self.node_parameter)
        return value if is_choice(value, self.network) else None

    @property
    def sources(self) -> tuple[int, ...]:
        """The nodes that hold the message at the start; for an accumulation, its root."""
        value = self.parameters[self.node_parameter]
        labels = value if isinstance(value, list) else [value]
        return tuple(sorted(self.network.node(label) for label in labels))

    @property
    def targets(self) -> tuple[int, ...]:
        """The nodes that must receive the message: all of them unless the task is a multicast."""
        if self.task != "multicast":
            return tuple(range(self.network.node_count))
        return tuple(sorted(self.network.node(label) for label in self.parameters["targets"]))

    @property
    def rounds(self) -> int | None:
        """The number of rounds to decide, or None when the least number is asked for."""
        return self.parameters.get("rounds")

    @property
    def asked(self) -> int | Fraction | None:
        """The value to decide, or None when the least is asked for: the number of rounds, for each of the
        chunks where these are counted.
        """
        return None if self.rounds is None else self.rounds * self.value_step

    @property
    def value_step(self) -> int | Fraction:
        """By how much values that follow one another differ: a round, for each of the chunks where these are
        counted.
        """
        chunks = self.parameters.get("chunks")
        return 1 if chunks is None else Fraction(1, chunks)

    @property
    def period(self) -> int | Literal["min"] | None:
        """After how many rounds a schedule repeats; "min" when the least such number is asked for, None when
        it need not repeat.
        """
        return self.parameters.get("period")

    def at_node(self, node: int) -> Problem:
        """The same problem with its source or root fixed."""
        return self.with_parameters(**{self.node_parameter: self.network.labels[node]})

    def with_parameters(self, **changes: Any) -> Problem:
        """The same problem with some parameters changed; None removes one."""
        merged = {**self.parameters, **changes}
        return replace(self, parameters={name: value for name, value in merged.items() if value is not None})

    def demand(self) -> Demand:
        """Who starts with what and who must know what. Raises ValueError while the source or root is left
        open, and for a task of another kind, of which its model says who must hold what.
        """
        n = self.network.node_count
        if self.task == "gossip":
            return gossip_demand(n)
        if self.choice:
            raise ValueError(f"the {self.node_parameter} is left open ({self.choice})")
        if self.task == "accumulation":
            return accumulation_demand(n, self.sources[0])
        if self.task == "multicast":
            return multicast_demand(n, self.sources, self.targets)
        if self.task != "broadcast":
            raise ValueError(f"who must know what in a {self.task} is for its model to say")
        return broadcast_demand(n, self.sources)


def is_choice(value: Any, network: Network) -> bool:
    """Whether a source or root asks for the best ("min") or the worst ("max") node; a node with such a label
    is just that node.
    """
    return isinstance(value, str) and value in ("min", "max") and value not in network.labels


def problem_to_json(problem: Problem, *, links: bool = False) -> dict[str, Any]:
    """The problem as a JSON object; a network is a family's text when that text gives exactly this network,
    else node-link JSON.

    links: put the links beside a family's text, unless there are more than MOST_LINKS.
    """
    network = network_to_data(problem.network)
    beside = links and isinstance(network, str) and len(problem.network.edges) <= MOST_LINKS
    return {
        "model": problem.model,
        "task": problem.task,
        "network": network,
        **({"links": links_to_json(problem.network)} if beside else {}),
        "parameters": dict(problem.parameters),
    }


def problem_from_json(data: Any) -> Problem:
    """The problem in a JSON object, its parameters as they stand (see `schedsolve.models.read_problem`); on
    the links beside the network's text where there are any, and the text is then no more than a name.

    Raises InputError when a part is missing or of another type, or when the network is refused.
    """
    parts = data if isinstance(data, Mapping) else {}
    model, task, parameters = parts.get("model"), parts.get("task"), parts.get("parameters", {})
    if (
        not isinstance(model, str)
        or not isinstance(task, str)
        or not isinstance(parameters, Mapping)
        or "network" not in parts
    ):
        raise InputError('a problem is {"model": NAME, "task": NAME, "network": ..., "parameters": {...}}')
    return Problem(model, task, _network_of(parts), dict(parameters))


def _network_of(parts: Mapping[str, Any]) -> Network:
    said = parts["network"]
    if "links" not in parts:
        return network_from_data(said)
    if not isinstance(said, str):
        raise InputError('"links" stand beside a network that is given by its name')
    return network_from_links(parts["links"], said)


def problem_id(problem: Problem) -> str:
    """A stable id: the SHA-256, in hexadecimal, of `problem_preimage`."""
    return hashlib.sha256(problem_preimage(problem).encode()).hexdigest()


def problem_preimage(problem: Problem) -> str:
    """What the id of a problem is the hash of: the canonical JSON (keys sorted, no blanks) of the model, the
    task, the nodes, the edges and the parameters, and of the bandwidths and switches where there are any.

    ```pycon
    >>> from schedsolve import Network, build_problem
    >>> print(problem_preimage(build_problem("telephone", "gossip", Network.from_spec("path:2"))))
    {"directed":false,"edges":[[0,1]],"model":"telephone","nodes":[0,1],"parameters":{},"task":"gossip"}

    ```
    """
    preimage = {
        **links_to_json(problem.network),
        "model": problem.model,
        "task": problem.task,
        "parameters": dict(problem.parameters),
    }
    return json.dumps(preimage, sort_keys=True, separators=(",", ":"))
