"""A design: the network that was found, its schedules, and the proof that none is better."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedsolve.certify.text.text import schedule_lines
from schedsolve.experiments.designs.levels import DESIGN_FORMAT
from schedsolve.experiments.designs.search import Sides
from schedsolve.experiments.designs.wanted import Wanted
from schedsolve.modelkit.result import LEAST_TIME, Result, Status, result_to_json, value_to_json
from schedsolve.network.classes.canonical_form import Rows
from schedsolve.network.classes.network_class import graph_text, network_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import counted


@dataclass(frozen=True)
class Design:
    """What is known of a design.

    Attributes
    ----------
    wanted
        What was asked for, and what was to be least.
    status
        "optimal" if both sides are proven; "feasible" or "infeasible" if rounds and links were given.
    sides
        The best network, the bounds and the levels that were decided.
    result
        The task on the network, with its schedules; None without one.
    complete
        The task on the complete network, which no network is faster than; None where it says nothing.
    seconds
        How long it took.
    taken
        How many parts of levels were taken from a store and not decided again, and of how many.
    """

    wanted: Wanted
    status: Status
    sides: Sides
    result: Result | None
    complete: Result | None
    seconds: float
    taken: tuple[int, int] = (0, 0)

    def __repr__(self) -> str:
        return f"<Design {self.wanted.model} {self.wanted.task}: {self.verdict}>"

    @property
    def verdict(self) -> str:
        """What was found, in one line."""
        taken, of = self.taken
        return f"{self._found}{_proven(self.status, taken, of)}"

    @property
    def _found(self) -> str:
        sides, asked = self.sides, self.wanted
        name = asked.designs.limit
        if self.status is Status.INFEASIBLE:
            return f"infeasible: no network of the class takes {_count(asked.limit or 0, name)}"
        if self.network is None:
            return f"unknown: no network found; {self._at_least}"
        links, reached = _count(sides.edges or 0, "links"), _count(sides.reached or 0, name)
        if asked.objective == "time":
            found = f"{self._time}, {links}"
        elif asked.any_links and not asked.timed:
            found = f"{reached}, in a network with {links}"
        else:
            found = f"{links}, {reached}"
        if self.status is Status.OPTIMAL and asked.objective == "steps":
            found += f", {self._time}"
        return f"{self.status.value}: {found}{self._open_side if self.status is Status.BOUNDED else ''}"

    @property
    def _at_least(self) -> str:
        """Below what no network comes, in words."""
        if self.wanted.objective == "time":
            return f"{LEAST_TIME.quantity(self.sides.time)} at least"
        return f"it takes at least {_count(self.sides.limit, self.wanted.designs.limit)}"

    @property
    def _open_side(self) -> str:
        """What is not proven, in words."""
        sides, asked = self.sides, self.wanted
        if asked.objective == "time" or sides.reached != sides.limit:
            return f"; {self._at_least}"
        if asked.timed:
            bound = LEAST_TIME.quantity(sides.time)
            return f", {self._time}; {asked.designs.limit} proven, {bound} at least"
        return f"; at least {_count(sides.lower, 'links')}"

    @property
    def value(self) -> Fraction | None:
        """The time of the task in the network, where the least is wanted and there is one."""
        value = None if self.result is None or not self.wanted.timed else self.result.value
        return None if value is None else Fraction(value)

    @property
    def _time(self) -> str:
        return LEAST_TIME.quantity(self.value)

    @property
    def lower_bound(self) -> int | Fraction:
        """The links, or the time, that a network as good as the best one has at least."""
        if self.wanted.objective == "time":
            return self.sides.time
        proven = self.sides.reached == self.sides.limit
        return self.sides.lower if proven else self.wanted.members.edge_counts()[0]

    @property
    def graphs(self) -> int:
        """How many networks the class has, where all were generated to find the least time; else 0."""
        return self.sides.graphs

    @property
    def lines(self) -> list[str]:
        """What was found, line by line: the network, its schedule, and what was excluded."""
        lines, sides, name = [self.verdict], self.sides, self.wanted.designs.limit
        if self.result is not None:
            network, arrow = self.result.problem.network, "->" if self.wanted.members.directed else "-"
            links = " ".join(f"{u}{arrow}{v}" for u, v in network.edges)
            lines += [f"network {self._text(sides.rows or ())}: {links}"]
            lines += schedule_lines(self.result.problem, self.result.indexed, self.result.node_index)
        fewest = 0 if sides.reached is None else self.wanted.question(sides.reached).fewest_links
        if fewest > self.wanted.members.edge_counts()[0]:
            lines.append(f"fewer than {fewest} links do not suffice, by the degrees of neighbours")
        for limit in sorted({level.limit for level in sides.levels}):
            levels = [level for level in sides.levels if level.limit == limit]
            shown = ", ".join(f"{_count(level.edges, 'links')}: {level.graphs}" for level in levels)
            lines.append(f"none of these networks takes {_count(limit, name)}: {shown}")
        if sides.all is not None:
            lines += [f"all {len(sides.all)}:", *(f"  {self._text(rows)}" for rows in sides.all)]
        if self.wanted.objective == "time" and self.status is Status.OPTIMAL:
            lines.append(self._others)
        return lines

    @property
    def _others(self) -> str:
        """How the other networks were excluded, in words."""
        if not self.graphs:
            return "no network with so many nodes and links takes less: by counting units and distances"
        return (
            f"none of the {self.graphs} networks of the class takes less: {len(self.sides.others)} of them"
            " were solved, the others are excluded by cuts, sends and distances"
        )

    def _text(self, rows: Rows) -> str:
        """Return the graph6 or digraph6 string."""
        return graph_text(rows, directed=self.wanted.members.directed)

    @property
    def network(self) -> Network | None:
        """The network, None if none was found."""
        return None if self.result is None else self.result.problem.network

    @property
    def networks(self) -> list[Network] | None:
        """All best networks, where they were asked for and found; else None."""
        found = self.sides.all
        if found is None:
            return None
        return [network_of(rows, directed=self.wanted.members.directed) for rows in found]

    def to_json(self) -> dict[str, Any]:
        """Return the design as the JSON object that `design --json` prints and `check` reads."""
        sides, asked = self.sides, self.wanted
        taken = {"taken_from_store": dict(zip(("parts", "of"), self.taken, strict=True))}
        return {
            "format": DESIGN_FORMAT,
            "objective": asked.objective,
            "model": asked.model,
            "task": asked.task,
            "nodes": asked.members.nodes,
            "class": asked.members.to_json(),
            **({"source": asked.choice} if asked.has_source else {}),
            **asked.designs.parameters,
            "asked": asked.to_json(),
            "status": self.status.value,
            **self._reached,
            "network": None if sides.rows is None else self._text(sides.rows),
            **({} if sides.all is None else {"networks": [self._text(rows) for rows in sides.all]}),
            "result": None if self.result is None else result_to_json(self.result),
            "evidence": self._evidence,
            "runtime_seconds": round(self.seconds, 3),
            **(taken if self.taken[0] else {}),
        }

    @property
    def _reached(self) -> dict[str, Any]:
        """Return both sides, as they stand in a file."""
        sides, asked, bound = self.sides, self.wanted, value_to_json(self.lower_bound)
        if asked.objective == "time":
            return {"value": value_to_json(self.value), "lower_bound": bound}
        name = asked.designs.limit
        return {
            "edges": sides.edges,
            name: sides.reached,
            "lower_bound": bound,
            **({f"least_{name}": sides.limit} if asked.limit is None else {}),
            **({"least_time": value_to_json(sides.time)} if asked.timed else {}),
        }

    @property
    def _evidence(self) -> dict[str, Any]:
        """Return what the lower side rests on, as it stands in a file."""
        sides = self.sides
        if self.wanted.objective == "time":
            others = [result_to_json(result) for result in sides.others]
            return {"kind": "networks", "graphs": sides.graphs, "digest": sides.digest, "results": others}
        return {
            "kind": "generation",
            "complete": None if self.complete is None else result_to_json(self.complete),
            "levels": [level.to_json() for level in sides.levels],
        }


def _proven(status: Status, taken: int, of: int) -> str:
    """Return that an optimum is proven, or how much of what was decided was taken from a store."""
    if taken:
        return f"; {taken} of {counted(of, 'part')} of what was decided taken from the store, not recomputed"
    return ", proven" if status is Status.OPTIMAL else ""


def _count(number: int, unit: str) -> str:
    """Return such as "1 round" or "2 rounds"."""
    return f"{number} {unit.removesuffix('s') if number == 1 else unit}"
