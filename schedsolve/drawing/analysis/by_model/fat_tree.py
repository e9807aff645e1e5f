"""The load of a fat-tree's channels under a schedule."""

from __future__ import annotations

from fractions import Fraction

from schedsolve.drawing.analysis.analysis import Analysis, Table
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models.fat_tree.rules import channel_loads, sendings_of, subtree_name
from schedsolve.models.fat_tree.rules.tree import tree_of


def analyse(problem: Problem, schedule: Schedule) -> Analysis:
    """Return the load of every channel that a legal schedule uses, by decreasing load factor."""
    tree = tree_of(problem)
    sendings, value = sendings_of(schedule)
    loads = sorted(
        channel_loads(tree, sendings),
        key=lambda load: (
            -Fraction(load.most, tree.capacities[load.height]),
            -load.height,
            load.subtree,
            not load.up,
        ),
    )
    rows = tuple(
        (
            f"{'up from' if load.up else 'down to'} {subtree_name(load.height, load.subtree)}",
            tree.capacities[load.height],
            load.most,
            load.step,
            str(Fraction(load.most, tree.capacities[load.height])),
            load.total,
        )
        for load in loads
    )
    channels = 2 * (2 * tree.processors - 2)
    full = sum(load.most == tree.capacities[load.height] for load in loads)
    table = Table(
        "load of the channels",
        ("channel", "capacity", "most in a step", "in step", "load factor", "messages in all"),
        rows,
        (
            (
                f"{len(loads)} of {channels} channels are used, {full} to their capacity in some step; the"
                f" schedule takes {value} steps"
            ),
        ),
    )
    return Analysis(problem, len(schedule.rounds), (), (table,))
