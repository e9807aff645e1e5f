"""What a design is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from schedsolve.experiments.designs.by_model import EXAMPLES
from schedsolve.experiments.designs.levels import Choice, Designs, Question
from schedsolve.experiments.designs.of_model import designs_of
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
        The most links, None for the fewest.
    any_links
        Whether the number of links does not count: the fewest rounds are then wanted, or the least time in
        the fewest steps.
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
    def timed(self) -> bool:
        """Whether the least time is wanted."""
        return self.any_links and self.designs.least_time is not None

    @property
    def edge_counts(self) -> list[int]:
        """The numbers of links that the network may have, ascending."""
        return self.members.edge_counts(self.edges)

    def question(self, limit: int) -> Question:
        """Return the question for a number of rounds."""
        return Question(self.designs, self.task, self.choice, self.members, limit)


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
    other = {"rounds": steps, "steps": rounds}[designs.limit]
    if other is not None:
        raise InputError(f"a design for {model} {task} counts {designs.limit}: give --{designs.limit}")
    limit = _number(designs.limit, {"rounds": rounds, "steps": steps}[designs.limit])
    if task not in designs.tasks:
        raise InputError(
            f"there are no designs for {model} {task}; there are for {', '.join(designs.tasks)}"
            f"{did_you_mean(task, designs.tasks)}"
        )
    if source is not None and not designs.tasks[task]:
        raise InputError(f"--source means nothing for a {task}, which has none")
    if source is not None and source not in CHOICES:
        raise InputError(f"--source of a design is {', '.join(CHOICES)}, not {shown(source)}")
    if members.directed:
        _refuse_arcs(designs, model, task)
    any_links = _any_links(designs, members, edges)
    most = None if any_links else _number("edges", edges)
    made = Wanted(model, task, members, CHOICES[source or "max"], limit, most, any_links, ports)
    if not made.edge_counts:
        least = min(members.edge_counts(), default=None)
        why = "there is none" if least is None else f"it has {counted(least, 'link')} or more"
        raise InputError(f"no connected network of the class has so few links: {why}")
    return made


def _refuse_arcs(designs: Designs, model: str, task: str) -> None:
    """Raise InputError if the model has no designs with arcs."""
    if designs.undirected:
        raise InputError(f"designs for {model} are undirected networks")
    # Models whose calls go both ways refuse arcs.
    arcs = Network(2, ((0, 1), (1, 0)), directed=True)
    source = {"source": "max"} if designs.tasks[task] else {}
    build_problem(model, task, arcs, {designs.limit: 1, **source})


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
