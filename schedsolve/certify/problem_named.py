"""The problem that a check is about: in words, and whether its network is the one that its name says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from schedsolve.certify.report import CheckReport
from schedsolve.modelkit.problem import Problem
from schedsolve.network.named.families import family_network, is_family
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.budget import OverBudgetError

LONGEST_WORD = 80
"""Characters of a name or of a parameter's value that are shown."""


def problem_words(problem: Problem) -> str:
    """Return the problem in one line.

    Model, task, network with its numbers of nodes and edges, parameters.
    """
    network = problem.network
    edges = "arcs" if network.directed else "edges"
    counts = f"{network.node_count} nodes, {len(network.edges)} {edges}"
    parts = [f"{problem.model} {problem.task} on {_short(network.name or 'a network')} ({counts})"]
    parts += [f"{name.replace('_', ' ')} {_short(value)}" for name, value in problem.parameters.items()]
    return ", ".join(parts)


def _short(value: Any) -> str:
    text = ",".join(map(str, value[:LONGEST_WORD])) if isinstance(value, list) else str(value)
    return text if len(text) <= LONGEST_WORD else f"{text[:LONGEST_WORD]}..."


def check_name(report: CheckReport, problem: Problem) -> None:
    """Compare a network whose links stand in the file with the one that its name stands for.

    A claim of its own, on which no other rests.

    report.network: how the file gives it. Node-link JSON may have any name, for display; a text beside links
    says which network it is, and does not hold when they are those of another one.
    """
    beside = report.network == "links"
    name = problem.network.name.strip()
    if not is_family(name):
        name = name.lower()
    if report.network == "name" or (not beside and not is_family(name)):
        return
    claim = f"that the network is {_short(name)}"
    report.compared = True
    if not is_family(name):
        report.doubt(claim, "no family of networks has that name")
        return
    try:
        named = family_network(name)
    except OverBudgetError:
        raise
    except InputError:
        if beside:
            report.fail(f"network: there is no {_short(name)}")
        else:
            report.doubt(claim, "no such network can be made")
        return
    given = replace(problem.network, default_sources=named.default_sources)
    if given == named:
        report.confirm(f"network: {_short(name)}, made again from its name")
    elif beside:
        report.fail(f"network: the links of the file are other ones than those of {_short(name)}")
    else:
        report.doubt(claim, "the network of the file, on which all of this was checked, is another one")
