"""Terms of Coq: numbers, lists, networks, schedules and tasks as theory/Definitions.v has them, and names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.network.graph import Network

WIDEST = 110
"""Characters of a line, where a term can be broken."""


def numbers(values: Iterable[int]) -> str:
    """Return a list of numbers: [0; 1; 2]."""
    return f"[{'; '.join(map(str, values))}]"


def pairs(links: Iterable[tuple[int, int]]) -> str:
    """Return a list of pairs: [(0, 1); (1, 2)]."""
    return f"[{'; '.join(f'({u}, {v})' for u, v in links)}]"


def table(rows: Iterable[Sequence[int]]) -> str:
    """Return a list of lists of numbers, a line each."""
    return "[" + ";\n   ".join(_broken(numbers(row)) for row in rows) + "]"


def pairs_term(links: Iterable[Sequence[int]]) -> str:
    """Return a list of pairs, with line breaks."""
    return _broken(pairs((u, v) for u, v in links))


def network_term(network: Network) -> str:
    """Return the network, by the numbers of its nodes."""
    kind = "true" if network.directed else "false"
    return f"Network {kind} {network.node_count}\n  {pairs_term(network.edges)}"


def schedule_term(schedule: Schedule) -> str:
    """Return the schedule, a line for every round."""
    rounds = [pairs((call.sender, call.receiver) for call in calls) for calls in schedule.rounds]
    return "[" + ";\n   ".join(map(_broken, rounds)) + "]"


def _broken(term: str) -> str:
    """Return a list with line breaks behind semicolons."""
    lines, line = [], ""
    for part in re.split("(?<=;) ", term):
        if line and len(line) + len(part) + 5 > WIDEST:
            lines.append(line)
            line = part
        else:
            line = f"{line} {part}" if line else part
    return "\n    ".join([*lines, line])


def task_term(problem: Problem, network: str, source: str | None = None) -> str:
    """Return the task; an accumulation as the broadcast that it is backwards.

    Parameters
    ----------
    problem
        The problem.
    network
        The term of its network.
    source
        The term of the source, where the problem leaves it open.
    """
    if problem.task == "gossip":
        return f"gossip_task {network}"
    sources = f"[{source}]" if source else numbers(problem.sources)
    if problem.task == "multicast":
        return f"multicast_task {sources} {numbers(problem.targets)}"
    return f"broadcast_task {sources}"


def identifier(name: str, otherwise: str) -> str:
    """Return a name for Coq made of a network's name: petersen, cycle_9, grid_3x3.

    Parameters
    ----------
    name
        The name.
    otherwise
        Put before a name that begins with no letter; alone where nothing is left of it.
    """
    word = re.sub("[^A-Za-z0-9]+", "_", name).strip("_")[:60].strip("_")
    if not word:
        return otherwise
    return word if word[0].isalpha() else f"{otherwise}_{word}"
