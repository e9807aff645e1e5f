"""Forgeries that only one kind of evidence has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Value, value_from_json
from schedsolve.models import model_of, read_problem
from tests.evidence.catalogue import Entry
from tests.evidence.truths import truths
from tests.forgeries.alterations import altered
from tests.forgeries.verdicts import REFUSALS

Evidence = dict[str, Any]


Claim = tuple[Problem, Evidence, Value]
"""A problem, evidence beside it, and the least value of the problem."""
MOST_NODES = 6
"""Nodes up to which all sets of them are looked at."""
MOST_SETS = 12
MOST_MADE = 400
"""Pieces of evidence of a kind, drawn from all that are made."""


def forged(entry: Entry) -> Iterator[Claim]:
    """Evidence of the entry's kind, made for each of the small problems with the freest numbers that there
    are.
    """
    make = BY_KIND.get(entry.kind)
    if make is not None and "," not in entry.name:
        made = [
            (problem, {"kind": entry.kind, **said}, value)
            for problem, value in truths()[entry.title]
            for said in make(problem, value)
        ]
        yield from made if len(made) <= MOST_MADE else Random(entry.kind).sample(made, MOST_MADE)


def _sets(problem: Problem) -> Iterator[list[Any]]:
    """Sets of nodes, by their labels: all of a small network's, else single ones."""
    labels = problem.network.labels
    sizes = range(len(labels) + 1) if len(labels) <= MOST_NODES else (1,)
    chosen = [list(nodes) for size in sizes for nodes in combinations(labels, size)]
    yield from chosen[:: len(chosen) // MOST_SETS + 1]


def _cuts(problem: Problem, _: Value) -> Iterator[Evidence]:
    yield from ({"nodes": nodes} for nodes in _sets(problem))


def _lengths(problem: Problem, _: Value) -> Iterator[Evidence]:
    """Long are the links that leave a set of nodes, or enter it, or a node; and with renumberings."""
    labels, arcs = problem.network.labels, problem.network.arcs
    for nodes in list(_sets(problem))[::3]:
        near = {problem.network.node(v) for v in nodes}
        yield {"lengths": [[labels[u], labels[v], "3"] for u, v in arcs if u in near and v not in near]}
    all_alike = {"lengths": [[labels[u], labels[v], 1] for u, v in arcs]}
    turned = [[*labels[1:], labels[0]], list(labels[::-1]), [labels[0]] * len(labels)]
    yield from ({**all_alike, "symmetries": [image]} for image in turned)
    yield {**all_alike, "lengths": [*all_alike["lengths"], [labels[0], labels[0], 9]]}
    yield {"lengths": [[labels[u], labels[v], -1] for u, v in arcs]}


def _groups(problem: Problem, _: Value) -> Iterator[Evidence]:
    """Every node by itself, switches too; groups that overlap, that leave nodes out, or are the same."""
    labels = problem.network.labels
    yield {}
    yield {"groups": [[v] for v in labels]}
    yield {"groups": [[v] for v in labels for _ in range(2)]}
    yield {"groups": [[v] for v in labels[1:]]}
    yield {"groups": [list(labels), *([v] for v in labels)]}
    yield {"groups": [list(labels)]}
    yield {"groups": [list(labels), []]}
    yield {"groups": [[labels[problem.network.compute_nodes[0]]], [*labels]]}


def _weights(problem: Problem, value: Value) -> Iterator[Evidence]:
    """All weigh one, or the farthest alone, or those that need not be informed."""
    n, source = problem.network.node_count, problem.network.labels[0]
    others = [0 if v in problem.targets else 9 for v in range(n)] if problem.task != "gossip" else [9] * n
    for weights in ([1] * n, [0] * (n - 1) + [1], [1] + [0] * (n - 1), others, [1] * (n + 1), [-1] * n):
        yield {"weights": weights, "rounds": int(value), "source": source}


def _states(problem: Problem, value: Value) -> Iterator[Evidence]:
    """Trees of informed sets that leave something out."""
    n, open_ = problem.network.node_count, problem.task == "gossip" or problem.choice
    sources = [0] if open_ else list(problem.sources)
    leaf = {"informed": sources, "weights": [1] * n}
    branch = {"informed": sources}
    others = [v for v in range(n) if v not in sources][:1]
    turned = [(v + 1) % n for v in range(n)]
    made: tuple[list[Any], ...] = (
        [],
        [[]],
        [[leaf]],
        [[branch]],
        [[branch], []],
        [[branch], [leaf]],
        [[leaf, branch]],
    )
    for levels in made:
        yield {"rounds": int(value), "symmetries": [], "levels": levels, "weights": []}
    for levels in (
        [[{"informed": others, "weights": [1] * n}]],
        [[branch], [{"informed": sources + others}]],
    ):
        yield {"rounds": int(value), "symmetries": [turned], "levels": levels, "weights": []}
    deep = [[{"informed": sources}] for _ in range(int(value) + 3)]
    yield {"rounds": int(value), "symmetries": [], "levels": deep, "weights": []}
    aside = (
        [0 if v in (*problem.targets, *sources) else 9 for v in range(n)] if problem.task != "gossip" else []
    )
    yield {"rounds": int(value), "symmetries": [], "levels": [[{**leaf, "weights": aside}]], "weights": []}


def _stars(problem: Problem, _: Value) -> Iterator[Evidence]:
    """Prices for two rounds of as many distances as there are."""
    farthest = max((d or 0 for d in problem.network.eccentricities), default=0)
    n = problem.network.node_count
    for edge in (0, 1, 7):
        for pairs in ([1] * (farthest + 1), [0] * (farthest + 1), list(range(farthest + 1)), [5] * farthest):
            yield {"edge": edge, "pairs": pairs, "symmetries": []}
    yield {"edge": 1, "pairs": [1] * (farthest + 1), "symmetries": [[(v + 1) % n for v in range(n)]]}
    yield {"edge": -1, "pairs": [10] * (farthest + 1), "symmetries": []}


def _tables(problem: Problem, _: Value) -> Iterator[Evidence]:
    yield from ({"slack": slack, "most": most} for slack in (1, 3) for most in (0, 1, 4))


def _prices(problem: Problem, _: Value) -> Iterator[Evidence]:
    """Prices of links in one step, in all, and where a step or a link is not; tables that charge more."""
    steps = problem.parameters["steps"]
    arcs = problem.network.arcs
    one = [[u, v, 1, "1"] for u, v in arcs]
    all_ = [[u, v, s, "1"] for u, v in arcs for s in range(1, steps + 1)]
    growing = [[u, v, s, str(s)] for u, v in arcs for s in range(1, steps + 1)]
    falling = [[u, v, s, str(steps + 1 - s)] for u, v in arcs for s in range(1, steps + 1)]
    n = problem.network.node_count
    tables = [
        {"shipment": i, "to": v, "prices": all_} for i in range(n) for v in range(n) if v != i
    ]  # fmt: skip
    for links in (
        one,
        all_,
        growing,
        falling,
        [],
        [*all_, *all_],
        [[0, 0, 1, "1"]],
        [[0, 1, steps + 1, "1"]],
    ):
        yield {"links": links}
        yield {"links": links, "tables": tables[:2]}
    yield {"tables": tables[:1]}
    yield {"tables": tables, "symmetries": [[(v + 1) % n for v in range(n)], list(range(n))]}
    yield {"tables": tables[:1], "symmetries": [list(range(n))] * 3}
    yield {"links": [[u, v, s, "-1"] for u, v, s, _ in all_]}


def _parts(problem: Problem, _: Value) -> Iterator[Evidence]:
    """Each kind of evidence for a part, at every node, and at what is none."""
    for task in ("broadcast", "reduce", "allgather"):
        for node in (*problem.network.labels[:3], "none"):
            for kind in ("bandwidth", "steps", "distance", "part", "counting"):
                yield {"task": task, "node": node, "evidence": {"kind": kind}}


def _rows(problem: Problem, _: Value) -> Iterator[Evidence]:
    """Bounds for some numbers of rounds, or none."""
    step = {"kind": "staircase"}
    made: tuple[list[Any], ...] = ([], [{"kind": "derived"}], [step] * 3, [step] * 9, [{}])
    for rows in made:
        yield {"rows": rows, "rest": None}
        yield {"rows": rows, "rest": {"kind": "staircase"}}


def _multipliers(problem: Problem, _: Value) -> Iterator[Evidence]:
    """One for every row, or for the last ones; cuts that are none."""
    n = problem.network.node_count
    cut = [0, *[1] * (n - 1)]
    for cuts in ([], [cut], [[1, *[0] * (n - 1)]], [[0] * n], [[0, *[9] * (n - 1)]]):
        for rows in (range(1), range(12), range(4, 9), (10**6,)):
            yield {"cuts": cuts, "multipliers": {str(row): "1" for row in rows}}
            yield {"cuts": cuts, "multipliers": {str(row): "-1/2" for row in rows}}


BY_KIND: Mapping[str, Callable[[Problem, Value], Iterator[Evidence]]] = {
    "cut": _cuts,
    "lengths": _lengths,
    "counting": _groups,
    "covering": _weights,
    "informed-sets": _states,
    "two-rounds": _stars,
    "tree-period": _tables,
    "prices": _prices,
    "tree-prices": _prices,
    "part": _parts,
    "best rounds": _rows,
    "steady state": _multipliers,
    "timed program": _multipliers,
    "aggregated": _multipliers,
}


def existence(entry: Entry) -> Iterator[tuple[str, Callable[[], str]]]:
    """That there is a schedule faster than any."""
    evidence, data = entry.bound["evidence"], entry.data
    problem, least = read_problem(data["problem"]), value_from_json(data["value"])
    assert least is not None
    for number, changed in enumerate(altered(evidence, 40)):
        yield f"evidence {number}", partial(_too_low, problem, changed, Fraction(least))
    for other, value in truths()[entry.title]:
        for time in (value, *(Fraction(value) * x / 100 for x in (1, 50, 99))):
            claimed = {"kind": "flows", "time": str(time), "adding": str(time), "copying": str(time)}
            yield "another problem", partial(_too_low, other, claimed, Fraction(value))


def _too_low(problem: Problem, evidence: Evidence, least: Fraction) -> str:
    claims = model_of(problem).existence
    if evidence.get("kind") not in claims:
        return ""
    try:
        value = claims[evidence["kind"]](problem, evidence)
    except REFUSALS:
        return ""
    return f"a schedule of {value} exists, the least is {least}" if value < least else ""
