"""What is asked, as plain numbers: brute forces read it, and the package's problem is built from it.

A saved problem is read here apart from the package, so that a brute force answers what the file says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from schedsolve.modelkit.problem import Problem
from schedsolve.models import build_problem
from schedsolve.network.graph import Label, Network
from schedsolve.network.named.families import family_network

NODE_OPTIONS = ("source", "root", "targets")


class Question(NamedTuple):
    """A problem on the nodes 0..nodes-1, its options with nodes as numbers; `min` and `max` stay words."""

    model: str
    task: str
    nodes: int
    links: tuple[tuple[int, int], ...]
    directed: bool
    options: Mapping[str, Any]

    def having(self, **options: Any) -> Question:
        """The question with other options; None takes one away."""
        merged = {**self.options, **options}
        return self._replace(options={name: value for name, value in merged.items() if value is not None})

    def problem(self, labels: Sequence[Label] = ()) -> Problem:
        """The package's problem, its nodes called by these labels. Raises InputError as that does."""
        names = labels or range(self.nodes)
        network = Network(self.nodes, self.links, self.directed, tuple(labels))
        options = {
            name: _moved(value, names) if name in NODE_OPTIONS else value
            for name, value in self.options.items()
        }
        return build_problem(self.model, self.task, network, options)

    def __str__(self) -> str:
        options = " ".join(
            f"--{name.replace('_', '-')}" + ("" if value is True else f" {_text(value)}")
            for name, value in self.options.items()
        )
        links = " ".join(f"{u}{'>' if self.directed else '-'}{v}" for u, v in self.links)
        return f"{self.model} {self.task} {options} on {self.nodes} nodes: {links}"


def _text(value: Any) -> str:
    return str(value).replace(" ", "") if isinstance(value, list) else str(value)


def _moved(value: Any, names: Sequence[Any]) -> Any:
    if isinstance(value, list | tuple):
        return [names[v] for v in value]
    return value if isinstance(value, str) else names[value]


def question_of(data: Mapping[str, Any]) -> Question:
    """The question of a saved problem. Raises KeyError, TypeError or ValueError where it is none."""
    network = data["network"]
    if isinstance(network, str):
        made = family_network(network)
        labels, links, directed = list(made.labels), list(made.edges), made.directed
    else:
        labels, directed = [node["id"] for node in network["nodes"]], bool(network.get("directed", False))
        if all(isinstance(label, int) for label in labels):
            labels.sort()  # the order of docs/files.md
        links = [(labels.index(e["source"]), labels.index(e["target"])) for e in network["edges"]]
    options = {
        name: value
        if name not in NODE_OPTIONS or (value in ("min", "max") and value not in labels)
        else [labels.index(v) for v in value]
        if isinstance(value, list)
        else labels.index(value)
        for name, value in data["parameters"].items()
        if value is not None
    }
    return Question(data["model"], data["task"], len(labels), tuple(links), directed, options)
