"""Evidence that `solve` writes on large problems only, or no more: made for a small one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pysat.solvers import Solver

from schedsolve.modelkit.formulas.proof import pack_proof
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.search import Options
from schedsolve.models import model_of
from schedsolve.models.linear_cost.claims.call_graph_tree import Prefix, Setting
from schedsolve.models.linear_cost.search.branching import branching
from schedsolve.models.matching.bounds.covering import covering_bound
from schedsolve.models.matching.formulation.informed_sets import InformedSetsSearch
from schedsolve.network.automorphisms import automorphisms
from schedsolve.solving.solve import solve
from studies.prices_between import Question as BetweenQuestion
from studies.prices_between import computed_prices
from studies.prices_outer import Question as OuterQuestion
from studies.prices_outer import computed_prices as computed_outer_prices

Evidence = dict[str, Any]


def optimum(problem: Problem) -> int:
    """The least number of rounds, which a refutation misses by one; one more than the horizon where none
    suffices.
    """
    value = solve(problem, Options(time_limit=10)).value
    if value is None:
        value = (model_of(problem).horizon(problem) or 0) + 1
    assert isinstance(value, int)
    return value


def proof_of(
    problem: Problem, evidence: Mapping[str, Any], cube: Sequence[int] = ()
) -> dict[str, Any] | None:
    """The proof that refutes the formula that the evidence names, in a cube; None when it has a model."""
    _, cnf = model_of(problem).refutation(problem, evidence)
    with Solver("cadical153", bootstrap_with=cnf.clauses, with_proof=True) as solver:
        for literal in cube:
            solver.add_clause([literal])
        return None if solver.solve() else pack_proof(solver.get_proof())


def refuted(problem: Problem, evidence: Evidence) -> Evidence:
    """The evidence with its proof."""
    proof = proof_of(problem, evidence)
    assert proof is not None, f"{evidence} is not refuted"
    return {**evidence, **proof}


def refutation(problem: Problem) -> Evidence:
    """A refutation of one round less than it takes, without symmetries."""
    return refuted(problem, {"kind": "refutation", "rounds": optimum(problem) - 1})


def keeping(problem: Problem) -> list[list[int]]:
    """Automorphisms that keep the sources and the targets, but for the identity."""
    fixed = (problem.sources,) if problem.task != "gossip" else ()
    images = [list(image) for image in automorphisms(problem.network, fixing=fixed)]
    return [image for image in images if image != sorted(image)][:4]


def symmetric_refutation(problem: Problem) -> Evidence:
    """A refutation with symmetries."""
    evidence = {"kind": "refutation", "rounds": optimum(problem) - 1, "symmetries": keeping(problem)}
    return refuted(problem, evidence)


def cubes(problem: Problem) -> Evidence:
    """A refutation in two cubes, the first call made and not made."""
    evidence: Evidence = {"kind": "refutation", "rounds": optimum(problem) - 1}
    parts = [{"cube": [x], **(proof_of(problem, evidence, [x]) or {})} for x in (1, -1)]
    return {**evidence, "lemmas": [], "cubes": parts}


def origins(problem: Problem) -> Evidence:
    """A refutation by origins and destinations."""
    evidence = {
        "kind": "refutation",
        "premise": "origins and destinations",
        "rounds": optimum(problem) - 1,
        "symmetries": keeping(problem),
    }
    return refuted(problem, evidence)


def fewest_calls(problem: Problem) -> Evidence:
    """A refutation by fewest calls."""
    evidence = {
        "kind": "refutation",
        "premise": "fewest calls",
        "rounds": optimum(problem) - 1,
        "symmetries": keeping(problem),
    }
    return refuted(problem, evidence)


def busy_ends(problem: Problem) -> Evidence:
    """A refutation by busy ends, with the prices that exclude outer calls."""
    return outer_calls(problem, "busy ends")


def inner_rounds(problem: Problem) -> Evidence:
    """A refutation by inner rounds, with the prices that exclude outer calls."""
    return outer_calls(problem, "inner rounds")


def distant_pairs(problem: Problem) -> Evidence:
    """A refutation by all pairs of distant nodes."""
    rounds, nodes = optimum(problem) - 1, range(problem.network.node_count)
    evidence = {
        "kind": "refutation",
        "premise": "distant pairs",
        "rounds": rounds,
        "pairs": [[i, j] for i in nodes for j in nodes if i != j],
    }
    return refuted(problem, evidence)


def outer_calls(problem: Problem, premise: str = "fewest calls") -> Evidence:
    """A refutation by fewest calls, with the prices that exclude outer calls."""
    rounds, n = optimum(problem) - 1, problem.network.node_count
    question = OuterQuestion(2, rounds, n)
    most = range(n // 4 + 1)
    entries = [entry for c in most for d in most if (entry := computed_outer_prices(question, c, d))]
    assert entries
    evidence = {
        "kind": "refutation",
        "premise": premise,
        "rounds": rounds,
        "symmetries": keeping(problem),
        "outer_calls": entries,
    }
    return refuted(problem, evidence)


def formula(kind: str) -> Callable[[Problem], Evidence]:
    """A refutation of one of the formulas of the fat-tree."""

    def build(problem: Problem) -> Evidence:
        return refuted(problem, {"kind": "refutation", "formula": kind, "rounds": optimum(problem) - 1})

    return build


def covering(problem: Problem) -> Evidence:
    """The weights of a covering."""
    bound = covering_bound(problem.network, problem.sources, problem.targets, 0, time_limit=5)
    assert bound.weights is not None
    return {"kind": "covering", "rounds": bound.rounds - 1, "weights": list(bound.weights)}


def informed_sets(problem: Problem) -> Evidence:
    """A tree of informed sets whose leaves are one round from the end."""
    search = InformedSetsSearch(problem, optimum(problem) - 1)
    leaf = search._leaf
    search._leaf = lambda ascent, informed, left: (  # type: ignore[method-assign]
        leaf(ascent, informed, left) if left < 2 else _nothing()
    )
    while search.advance(1.0) is None:
        pass
    return dict(search.evidence())


def _nothing() -> Any:
    """A search for weights that finds none."""
    yield from ()


def prices_between(problem: Problem) -> Evidence:
    """Prices for the rounds between, for degree 2."""
    wanted = (problem.network.node_count + 1) // 2
    return {"kind": "prices-between", **computed_prices(BetweenQuestion(2, 5, wanted))}


def tree_period(problem: Problem) -> Evidence:
    """The table of types, where it is cut."""
    result = solve(problem, Options(certify=True, time_limit=10))
    return next(dict(b.evidence) for b in result.bounds if b.evidence and b.evidence["kind"] == "tree-period")


def call_graphs(problem: Problem) -> Evidence:
    """The tree of call graphs."""
    found = [b for b in branching(problem, None, 10) if isinstance(b, Bound) and b.evidence]
    return dict(found[-1].evidence or {})


def call_graph_prices(problem: Problem) -> Evidence:
    """A tree of call graphs with prices at all leaves, the same for all arcs of a round."""
    setting = Setting.of(problem)

    def below(prefix: Prefix) -> Any:
        if len(prefix.call_graphs) < setting.rounds:
            return [below(following) for following in setting.continuations(prefix)]
        graphs = enumerate(prefix.call_graphs, 1)
        return {"prices": [[t, u, v, str(Fraction(1, len(arcs)))] for t, arcs in graphs for u, v in arcs]}

    return {"kind": "call graphs", "cuts": [], "proofs": [], "tree": below(setting.root)}


def part(problem: Problem) -> Evidence:
    """The broadcast that an allreduce contains."""
    return {"kind": "part", "task": "broadcast", "node": 0, "evidence": {"kind": "bandwidth"}}


def _rounds_below(problem: Problem) -> int:
    value = solve(problem, Options(time_limit=10)).value
    assert value is not None
    return int(value * problem.parameters["chunks"]) - 1


def compositions(problem: Problem) -> Evidence:
    """A refutation of one round less, no composition excluded by prices."""
    evidence = {"kind": "refutation", "rounds": _rounds_below(problem), "prices": []}
    return refuted(problem, evidence)


def priced_compositions(problem: Problem) -> Evidence:
    """A refutation of one round less, with prices that exclude compositions."""
    steps = range(1, problem.parameters["steps"] + 1)
    links = [[u, v, step, "1"] for u, v in problem.network.arcs for step in steps]
    prices = [{"kind": "tree-prices", "links": links}]
    evidence = {"kind": "refutation", "rounds": _rounds_below(problem), "prices": prices}
    return refuted(problem, evidence)


def any_rounds(problem: Problem) -> Evidence:
    """A refutation of any number of rounds."""
    rounds = model_of(problem).horizon(problem)
    return refuted(problem, {"kind": "refutation", "rounds": rounds, "any_rounds": True})


def flows(problem: Problem) -> Evidence:
    """Flows that show that trees exist."""
    value = solve(problem, Options(time_limit=10)).value
    return {"kind": "flows", "time": str(value)}


def allreduce_flows(problem: Problem) -> Evidence:
    """Flows both ways; what trees need that add up is what trees need that copy, as all links are alike."""
    value = solve(problem, Options(time_limit=10)).value
    assert value is not None
    half = Fraction(value) * len(problem.network.compute_nodes) / 2
    return {"kind": "flows", "adding": str(half), "copying": str(half)}
