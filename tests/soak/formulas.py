"""The formulas of one-way gossip on networks drawn at random: with and without their premises they say what
brute force says, and beyond its reach all the same.
"""

from __future__ import annotations

from random import Random

import networkx as nx

from schedsolve.backends.sat import decide
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import break_symmetries
from schedsolve.models import build_problem
from schedsolve.models.matching.bounds.prices_outer import outer_call_prices
from schedsolve.models.matching.claims.busy_ends import PREMISE as BUSY
from schedsolve.models.matching.claims.busy_ends import short_ends
from schedsolve.models.matching.claims.ends import ends_are_full
from schedsolve.models.matching.claims.fewest_calls import PREMISE as FEWEST
from schedsolve.models.matching.claims.fewest_calls import fewest_calls_formula
from schedsolve.models.matching.claims.formula import rounds_formula
from schedsolve.models.matching.claims.origins import origins_formula, pair_orbits
from schedsolve.models.matching.claims.prices_outer import excluded_outer_calls
from schedsolve.network.automorphisms import automorphisms
from schedsolve.network.graph import Network
from tests.reference.brute_force import gossip_rounds

MOST_LINKS = {3: 3, 4: 6, 5: 10, 6: 10, 7: 8}
"""Nodes up to which brute force is asked, and edges up to which it takes seconds."""
FULL_ENDS = {9: 6, 10: 6}
"""Nodes, and the rounds in which the premise of full ends decides."""
SECONDS = 30.0
"""For a formula, after which nothing is compared."""


def try_formula(random: Random) -> tuple[str, str]:
    """Compare the formulas of a random network: what came of it, and a finding, "" when there is none."""
    n = random.choice((3, 4, 5, 5, 6, 6, 6, 7, 9, 10))
    graph = _random_network(random, n)
    problem = build_problem("telegraph", "gossip", Network.from_networkx(graph))
    best = gossip_rounds(graph, False) if n in MOST_LINKS else None
    undecided = tight = False
    for rounds in (FULL_ENDS[n],) if best is None else range(2, best + 1):
        formulas = _formulas(problem, rounds, best is not None)
        answers = {name: decide(cnf, SECONDS)[0] for name, cnf in formulas.items()}
        tight |= FEWEST in answers and (best is None or rounds >= best - 1)
        expected = answers["origins"] if best is None else rounds == best
        undecided |= None in answers.values()
        if {answer for answer in answers.values() if answer is not None} - {expected}:
            return "disagreement", f"gossip on {sorted(graph.edges)} in {rounds} rounds: {answers}, {best}"
    return "undecided" if undecided else "agreed with full ends" if tight else "agreed", ""


def _formulas(problem: Problem, rounds: int, plain: bool) -> dict[str, Cnf]:
    """The formulas that may be asked whether so many rounds suffice."""
    network, found = problem.network, dict[str, Cnf]()
    images = automorphisms(network)[:50]
    if plain:
        formula = rounds_formula(problem, rounds)
        break_symmetries(formula, problem, images)
        found["plain"] = formula.cnf
    found["origins"] = origins_formula(network, rounds, pair_orbits(network, images), images).cnf
    prices = outer_call_prices(problem, rounds)
    excluded = excluded_outer_calls(problem, rounds, prices)
    if rounds >= 3 and ends_are_full(network.node_count, rounds, excluded):
        found[FEWEST] = fewest_calls_formula(problem, rounds, images, excluded).cnf
    if rounds >= 3:
        found[BUSY] = fewest_calls_formula(problem, rounds, images, excluded, short_ends(network)).cnf
    return found


def _random_network(random: Random, n: int) -> nx.Graph:
    """A connected graph, sometimes with each arc in one direction only where the network stays strongly
    connected.
    """
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((v, random.randrange(v)) for v in range(1, n))
    wanted = random.randint(n - 1, MOST_LINKS[n]) if n in MOST_LINKS else random.randint(n + 4, 2 * n)
    while graph.number_of_edges() < wanted:
        graph.add_edge(*random.sample(range(n), 2))
    if random.random() < 0.7:
        return graph
    directed = graph.to_directed()
    for arc in random.sample(sorted(directed.edges), len(directed.edges) // 2):
        directed.remove_edge(*arc)
        if not nx.is_strongly_connected(directed):
            directed.add_edge(*arc)
    return directed
