"""What a design is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from schedsolve.experiments.designs.by_model import EXAMPLES
from schedsolve.experiments.designs.levels import Choice, Designs, Question
from schedsolve.experiments.designs.of_model import designs_of
from schedsolve.modelkit.problem import Problem
from schedsolve.models import build_problem
from schedsolve.network.classes.network_class import NetworkClass
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, counted, did_you_mean, shown
from schedsolve.runtime.files.number_reader import whole_number

CHOICES: dict[str, Choice] = {"min": "min", "one": "min", "max": "max", "all": "max"}
"""The sources: the best one, or every one; each has two names."""


@dataclass(frozen=True)
class Wanted:
    """A network is wanted on which a task takes few rounds.

    Attributes
    ----------
    model, task
        Their names.
    members
        The class from which it is chosen.
    choice
        Of the source.
    limit
        The number of rounds (or steps), None for the least.
    edges
        The most links, None for the fewest, or for any number.
    any_links
        Whether the fewest links are not wanted: the fewest rounds are then, or the least time in the fewest
        steps, or the least time.
    ports
        In how many calls of a round a node may take part; None for the model's default.
    """

    model: str
    task: str
    members: NetworkClass
    choice: Choice = "max"
    limit: int | None = None
    edges: int | None = None
    any_links: bool = False
    ports: Any = None

    @cached_property
    def designs(self) -> Designs:
        """What the model brings for designs."""
        found = designs_of(self.model)
        if found is None:
            such = ", ".join(EXAMPLES)
            raise InputError(f"there are no designs for {self.model}; there are such as {such}")
        return found.for_ports(self.ports)

    @property
    def has_source(self) -> bool:
        """Whether the task has a source."""
        return self.designs.tasks[self.task]

    @property
    def objective(self) -> str:
        """What is wanted first: few "links", or where any number is allowed "rounds", "steps" or "time"."""
        return self.designs.limit if self.any_links else "links"

    @property
    def timed(self) -> bool:
        """Whether the least time is wanted, at once or in the fewest steps."""
        return self.any_links and self.designs.least_time is not None

    @property
    def edge_counts(self) -> list[int]:
        """The numbers of links that the network may have, ascending."""
        return self.members.edge_counts(self.edges)

    def question(self, limit: int) -> Question:
        """Return the question for a number of rounds."""
        return Question(self.designs, self.task, self.choice, self.members, limit)

    def problem(self, network: Network, limit: int | None = None) -> Problem:
        """Return the task on a network, with a number of rounds to decide, or a number of steps.

        Raises
        ------
        InputError
            If the model poses no such task on the network.
        """
        given = {} if limit is None else {self.designs.limit: limit}
        source = {"source": self.choice} if self.has_source else {}
        return build_problem(self.model, self.task, network, {**given, **source, **self.designs.parameters})

    def to_json(self) -> dict[str, Any]:
        """Return the numbers asked for, as they stand in a file."""
        edges = "any" if self.any_links else "least"
        limit = {self.designs.limit: "least" if self.limit is None else self.limit}
        return (limit if self.objective != "time" else {}) | {
            "edges": edges if self.edges is None else self.edges
        }


def wanted(
    model: str,
    task: str,
    members: NetworkClass,
    *,
    source: str | None = None,
    rounds: Any = None,
    steps: Any = None,
    edges: Any = None,
    ports: Any = None,
) -> Wanted:
    """Return what is asked for.

    Parameters
    ----------
    model, task
        Their names.
    members
        The class from which the network is chosen.
    source
        Of a broadcast: "max" or "all" for every source, "min" or "one" for the best one; every one if not
        given.
    rounds, steps
        The number of those that the model counts, or "least".
    edges
        The most links, or "least"; or "any", which is the default with a limited degree where steps are
        counted.
    ports
        In how many calls of a round a node may take part, where the model has ports.

    Raises
    ------
    InputError
        If the model has no such design, or a value is no number.
    """
    designs = Wanted(model, task, members, ports=ports).designs
    if task not in designs.tasks:
        raise InputError(
            f"there are no designs for {model} {task}; there are for {', '.join(designs.tasks)}"
            f"{did_you_mean(task, designs.tasks)}"
        )
    if source is not None and not designs.tasks[task]:
        raise InputError(f"--source means nothing for {model} {task}, which has none")
    if source is not None and source not in CHOICES:
        raise InputError(f"--source of a design is {', '.join(CHOICES)}, not {shown(source)}")
    limit = _limit(designs, model, task, {"rounds": rounds, "steps": steps})
    if members.directed:
        _refuse_arcs(designs, model, task)
    any_links = designs.limit == "time" or _any_links(designs, members, edges)
    most = _most_links(designs, members, edges)
    made = Wanted(model, task, members, CHOICES[source or "max"], limit, most, any_links, ports)
    if not made.edge_counts:
        least = min(members.edge_counts(), default=None)
        why = "there is none" if least is None else f"it has {counted(least, 'link')} or more"
        raise InputError(f"no connected network of the class has so few links: {why}")
    return made


def _limit(designs: Designs, model: str, task: str, given: dict[str, Any]) -> int | None:
    """Return the number of rounds or steps, whichever the model counts; None for the least."""
    limit = _number(designs.limit, given.pop(designs.limit, None))
    for option in (name for name, value in given.items() if value is not None):
        if designs.limit == "time":
            raise no_such_option(option, model)
        raise InputError(f"a design for {model} {task} counts {designs.limit}: give --{designs.limit}")
    return limit


def no_such_option(option: str, model: str) -> InputError:
    """Return the error for an option that a model of times does not have."""
    return InputError(f"--{option} means nothing for {model}: the network of the least time is found")


def _refuse_arcs(designs: Designs, model: str, task: str) -> None:
    """Raise InputError if the model has no designs with arcs."""
    if designs.undirected:
        raise InputError(f"designs for {model} are undirected networks")
    # Models whose calls go both ways refuse arcs.
    arcs = Network(2, ((0, 1), (1, 0)), directed=True)
    Wanted(model, task, NetworkClass(2, directed=True)).problem(arcs, 1)


def _most_links(designs: Designs, members: NetworkClass, edges: Any) -> int | None:
    """Return the most links asked for, None for none; the network of the least time is among few."""
    if designs.limit == "time" and edges == "least":
        raise InputError("--edges of a fastest network takes the most links, not least")
    most = None if edges == "any" else _number("edges", edges)
    if designs.limit == "time" and most is None and not members.limited:
        raise InputError(
            "the fastest network is the complete one: limit degrees (--regular) or links (--edges)"
        )
    return most


def _any_links(designs: Designs, members: NetworkClass, edges: Any) -> bool:
    """Whether the number of links does not count."""
    limited = members.max_degree is not None or members.regular is not None
    return edges == "any" or (edges is None and limited and designs.least_time is not None)


def _number(option: str, value: Any) -> int | None:
    if value in (None, "least"):
        return None
    number = whole_number(value, 0, 10**6, text=True)
    if number is None:
        raise InputError(f"--{option} takes a number from 0 on, or least; not {shown(value)}")
    return number
