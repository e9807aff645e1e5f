"""A problem as pure data: a model, a task, a network and parameters; its files and its stable id."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Literal

from schedsolve.modelkit.task import (
    Demand,
    accumulation_demand,
    broadcast_demand,
    gossip_demand,
    item_blocks,
    multicast_demand,
)
from schedsolve.network.graph import Network
from schedsolve.network.links import MOST_LINKS, edges_text, links_to_json, network_from_links
from schedsolve.network.named.spec import network_from_data, network_to_data
from schedsolve.runtime.display.presentation import network_svg, problem_text, titled_html
from schedsolve.runtime.errors import InputError, shown

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    ScheduleType_co = TypeVar("ScheduleType_co", covariant=True, default=Any)
    """The class of the schedules of a problem."""
else:
    from typing import TypeVar

    ScheduleType_co = TypeVar("ScheduleType_co", covariant=True)


@dataclass(frozen=True)
class Problem(Generic[ScheduleType_co]):
    """A problem: the least rounds, cost or time of a task on a network under a model's rules.

    Use `schedsolve.models.build_problem`, which fills in defaults and rejects unknown parameters, unless the
    parameters are complete.

    Attributes
    ----------
    model
        The name of the model, such as "telegraph".
    task
        The name of the task, such as "gossip".
    network
        The network.
    parameters
        JSON values by name; nodes are given by label.
    evidence
        What proves to a checker that a parameter is the optimum that it claims to be, as JSON data
        (`schedsolve.modelkit.record.Premise`), or None. It does not count in comparisons.
    """

    model: str
    task: str
    network: Network
    parameters: Mapping[str, Any] = field(default_factory=dict)
    evidence: Mapping[str, Any] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<Problem {problem_text(self)}>"

    def _repr_html_(self) -> str:
        """Return the problem in one line, above a picture of its network."""
        return titled_html(problem_text(self), self._repr_svg_())

    def _repr_svg_(self) -> str | None:
        return network_svg(self.network)

    @property
    def node_parameter(self) -> Literal["source", "root"]:
        """The name of the parameter for the node at which the task starts or ends."""
        return "root" if self.task in ("accumulation", "product", "gather", "reduce") else "source"

    @property
    def choice(self) -> Literal["min", "max"] | None:
        """Which source (or root) is sought: the best ("min"), the worst ("max"), or None if it is given."""
        value = self.parameters.get(self.node_parameter)
        return value if is_choice(value, self.network) else None

    @property
    def sources(self) -> tuple[int, ...]:
        """The nodes that hold the message at the start; the root of an accumulation.

        Raises
        ------
        InputError
            If the task has no source.
        """
        value = self.parameters.get(self.node_parameter)
        if value is None:
            raise InputError(f"a {self.task} has no {self.node_parameter}: every node starts alike")
        labels = value if isinstance(value, list) else [value]
        return tuple(sorted(self.network.node(label) for label in labels))

    @property
    def targets(self) -> tuple[int, ...]:
        """The nodes that must receive the message: all nodes unless the task is a multicast."""
        if self.task != "multicast":
            return tuple(range(self.network.node_count))
        return tuple(sorted(self.network.node(label) for label in self.parameters["targets"]))

    @property
    def broadcast_network(self) -> Network:
        """The network on which a task with one message is a broadcast.

        An accumulation is a broadcast run backwards, with all arcs reversed; every other task is on its own
        network.
        """
        return self.network.reversed() if self.task == "accumulation" else self.network

    @property
    def rounds(self) -> int | None:
        """The number of rounds to decide, or None if the least number is sought."""
        return self.parameters.get("rounds")

    @property
    def asked(self) -> int | Fraction | None:
        """The value to decide, or None if the least value is sought.

        It is the number of rounds, divided by the number of chunks if these are counted.
        """
        return None if self.rounds is None else self.rounds * self.value_step

    @property
    def value_step(self) -> int | Fraction:
        """The difference of consecutive values: one round, divided by the number of chunks if these count."""
        chunks = self.parameters.get("chunks")
        return 1 if chunks is None else Fraction(1, chunks)

    @property
    def period(self) -> int | Literal["min"] | None:
        """The period of the schedule; "min" if the least one is sought, None if there is none."""
        return self.parameters.get("period")

    def at_node(self, node: int) -> Problem[ScheduleType_co]:
        """Return the same problem with its source or root fixed."""
        return self.with_parameters(**{self.node_parameter: self.network.labels[node]})

    def with_parameters(self, **changes: Any) -> Problem[ScheduleType_co]:
        """Return the same problem with some parameters changed; None removes one."""
        merged = {**self.parameters, **changes}
        return replace(self, parameters={name: value for name, value in merged.items() if value is not None})

    def demand(self) -> Demand:
        """Return which items every node holds at the start, and which it must know at the end.

        Raises
        ------
        InputError
            If the source or root is not given.
        ValueError
            If the task is of a kind whose demand its model defines.
        """
        n = self.network.node_count
        if self.task == "gossip":
            return gossip_demand(n)
        if self.choice:
            raise InputError(
                f"the {self.node_parameter} is left open ({self.choice}); result.placed is the problem of its"
                " schedule"
            )
        if self.task == "accumulation":
            return accumulation_demand(n, self.sources[0])
        if self.task == "multicast":
            return multicast_demand(n, self.sources, self.targets)
        if self.task != "broadcast":
            raise ValueError(f"who must know what in a {self.task} is for its model to say")
        return broadcast_demand(n, self.sources)

    def demands(self) -> Iterator[Demand]:
        """Yield `demand` in blocks of items, each small enough for the memory, for one at a time.

        It raises as `demand` does.
        """
        n = self.network.node_count
        if self.task == "gossip":
            yield from (gossip_demand(n, items) for items in item_blocks(n))
        elif self.task == "accumulation" and not self.choice:
            yield from (accumulation_demand(n, self.sources[0], items) for items in item_blocks(n))
        else:
            yield self.demand()


def refuse_no_problem(given: object) -> None:
    """Raise InputError for what is no problem."""
    if not isinstance(given, Problem):
        raise InputError(f"a problem is what build_problem(model, task, network) returns; not {shown(given)}")


def refuse_no_result(given: object) -> None:
    """Raise InputError for what is no result (`schedsolve.modelkit.result.Result`)."""
    if not hasattr(given, "placed"):
        raise InputError(f"a result is what solve(problem) returns; not {shown(given)}")


def read_problems(given: Iterable[Problem[ScheduleType_co]]) -> list[Problem[ScheduleType_co]]:
    """Return problems as a list.

    Raises
    ------
    InputError
        If one is none, or a problem is given in place of several.
    """
    if isinstance(given, Problem) or not isinstance(given, Iterable):
        raise InputError(f"several problems are a list, [problem] if it is one; not {shown(given)}")
    problems = list(given)
    for problem in problems:
        refuse_no_problem(problem)
    return problems


def is_choice(value: Any, network: Network) -> bool:
    """Return whether a source or root asks for the best ("min") or the worst ("max") node.

    A node with such a label is just that node.
    """
    return isinstance(value, str) and value in ("min", "max") and value not in network.labels


def problem_to_json(problem: Problem, *, links: bool = False) -> dict[str, Any]:
    """Return the problem as a JSON object.

    The network is a family's text if that text gives exactly this network, else node-link JSON.

    Parameters
    ----------
    problem
        The problem.
    links
        Whether to add the links to a family's text, unless there are more than MOST_LINKS.
    """
    network = network_to_data(problem.network)
    beside = links and isinstance(network, str) and len(problem.network.edges) <= MOST_LINKS
    return {
        "model": problem.model,
        "task": problem.task,
        "network": network,
        **({"links": links_to_json(problem.network)} if beside else {}),
        "parameters": dict(problem.parameters),
        **({} if problem.evidence is None else {"evidence": dict(problem.evidence)}),
    }


def problem_from_json(data: Any) -> Problem:
    """Return the problem in a JSON object, with its parameters as they are.

    If the object has links beside the network's text, the network is read from the links, and the text is
    only a name. See also `schedsolve.models.read_problem`.

    Raises
    ------
    InputError
        If a part is missing or of another type, or if the network is not valid.
    """
    parts = data if isinstance(data, Mapping) else {}
    model, task, parameters = parts.get("model"), parts.get("task"), parts.get("parameters", {})
    evidence = parts.get("evidence")
    if (
        not isinstance(model, str)
        or not isinstance(task, str)
        or not isinstance(parameters, Mapping)
        or not isinstance(evidence, Mapping | None)
        or "network" not in parts
    ):
        raise InputError('a problem is {"model": NAME, "task": NAME, "network": ..., "parameters": {...}}')
    return Problem(model, task, _network_of(parts), dict(parameters), evidence)


def _network_of(parts: Mapping[str, Any]) -> Network:
    said = parts["network"]
    if "links" not in parts:
        return network_from_data(said)
    if not isinstance(said, str):
        raise InputError('"links" stand beside a network that is given by its name')
    return network_from_links(parts["links"], said)


def problem_id(problem: Problem) -> str:
    """Return a stable id: the SHA-256, in hexadecimal, of `problem_preimage`."""
    import hashlib

    digest = hashlib.sha256()
    for part in _preimage(problem):
        digest.update(part.encode())
    return digest.hexdigest()


def problem_preimage(problem: Problem) -> str:
    """Return the text whose hash is the id of a problem.

    It is the canonical JSON (keys sorted, no blanks) of the model, the task, the nodes, the edges and the
    parameters, and of the bandwidths and switches if there are any.

    ```pycon
    >>> from schedsolve import Network, build_problem
    >>> print(problem_preimage(build_problem("telephone", "gossip", Network.from_spec("path:2"))))
    {"directed":false,"edges":[[0,1]],"model":"telephone","nodes":[0,1],"parameters":{},"task":"gossip"}

    ```
    """
    return "".join(_preimage(problem))


def _preimage(problem: Problem) -> Iterator[str]:
    """Yield `problem_preimage` in parts: the edges of a complete network are many times its nodes."""
    values = {
        **links_to_json(problem.network, edges=False),
        "edges": None,
        "model": problem.model,
        "task": problem.task,
        "parameters": dict(problem.parameters),
    }
    for i, key in enumerate(sorted(values)):
        yield f"{',' if i else '{'}{json.dumps(key)}:"
        if key == "edges":
            yield from edges_text(problem.network)
        else:
            yield json.dumps(values[key], sort_keys=True, separators=(",", ":"))
    yield "}"
