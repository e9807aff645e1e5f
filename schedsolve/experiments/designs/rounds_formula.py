"""Designs by SAT: the calls on the complete network, and a variable for every link that a call may use.

Symmetry is broken statically. A gossip can be renumbered so that the calls of its first round are 0 to 1,
2 to 3, ..., as many as it has. A design for broadcasts can be renumbered so that its rows of the adjacency
matrix ascend: of two successive nodes, not counting what joins them, the row of the first is not after that
of the second in lexicographic order (Codish, Miller, Prosser, Stuckey, 2013), as the numbering with the least
matrix has it so. Where node 0 is the source it keeps its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.experiments.designs.levels import Question
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models.matching.claims.formula import RoundsFormula, rounds_formula
from schedsolve.models.matching.rules import is_two_way
from schedsolve.network.classes.network_class import NetworkClass
from schedsolve.network.graph import Network

Link = tuple[int, int]


def design_search(model: str, question: Question, edges: int) -> SatSearch | None:
    """Return a search for a network with at most so many links; None for classes that it does not know."""
    members = question.members
    degrees = NetworkClass(members.nodes, False, members.max_degree, members.regular)
    if members != degrees:
        return None
    return SatSearch(lambda: design_question(model, question, edges))


def design_question(model: str, question: Question, edges: int) -> SatQuestion:
    """Return the question whether a network with at most so many links has the rounds asked for.

    Parameters
    ----------
    model
        The name of the model, which says whether calls go both ways.
    question
        The task, the class and the number of rounds.
    edges
        The most links.
    """
    n = question.members.nodes
    complete = Network(n, tuple(combinations(range(n), 2)))
    cnf = Cnf()
    links = {link: cnf.new() for link in complete.edges}
    gossip, called = question.task == "gossip", list[tuple[RoundsFormula, int]]()
    sources = [0] if gossip or question.choice == "min" else range(n)
    for source in sources:
        parameters = {} if gossip else {"source": source}
        problem = Problem(model, question.task, complete, parameters)
        formula = rounds_formula(problem, question.limit)
        offset = _joined(cnf, formula, links)
        called.append((formula, offset))
        if gossip:
            _first_round(cnf, formula, offset)
    if not gossip:
        _ascending_rows(cnf, links, range(n) if question.choice == "max" else range(1, n))
    _limits(cnf, links, question, edges)

    def decode(true: set[int]) -> tuple[Problem, Schedule]:
        network = Network(n, tuple(link for link, variable in links.items() if variable in true))
        formula, offset = called[0]
        pairs = formula.calls({x - offset for x in true})
        schedule = Schedule.two_way(pairs) if is_two_way(problem) else Schedule.one_way(pairs)
        return Problem(model, question.task, network), schedule if gossip else Schedule()

    return SatQuestion(cnf, (), decode)


def _joined(cnf: Cnf, formula: RoundsFormula, links: dict[Link, int]) -> int:
    """Add a formula behind what is there, its calls on links only; return by how much it was renumbered."""
    offset = cnf.variable_count
    cnf.variable_count += formula.cnf.variable_count
    cnf.extend([x + offset if x > 0 else x - offset for x in clause] for clause in formula.cnf.clauses)
    for a, (u, v) in enumerate(formula.links):
        for t in range(1, formula.rounds + 1):
            cnf.add(-offset - formula.call(a, t), links[min(u, v), max(u, v)])
    return offset


def _first_round(cnf: Cnf, formula: RoundsFormula, offset: int) -> None:
    """Say that the calls of round 1 are 0 to 1, 2 to 3, ..., without a gap."""
    if not formula.rounds:
        return
    before = 0
    for a, (u, v) in enumerate(formula.links):
        call = offset + formula.call(a, 1)
        if u % 2 or v != u + 1:
            cnf.add(-call)
        elif before:
            cnf.add(-call, before)
        if not u % 2 and v == u + 1:
            before = call


def _ascending_rows(cnf: Cnf, links: dict[Link, int], nodes: Sequence[int]) -> None:
    """Say that of two successive nodes the row of the first is not the larger one."""
    everyone = sorted({v for link in links for v in link})
    for u, v in pairwise(nodes):
        equal = 0
        for w in everyone:
            if w in (u, v):
                continue
            first, second = links[min(u, w), max(u, w)], links[min(v, w), max(v, w)]
            prefix = [-equal] if equal else []
            cnf.add(*prefix, -first, second)
            now = cnf.new()
            cnf.add(*prefix, -first, -second, now)
            cnf.add(*prefix, first, second, now)
            equal = now


def _limits(cnf: Cnf, links: dict[Link, int], question: Question, edges: int) -> None:
    """Say how many links there are at most, and at every node."""
    members = question.members
    if edges < 1:
        cnf.extend([-variable] for variable in links.values())
    else:
        cnf.at_most(list(links.values()), edges)
    most = members.regular or members.max_degree
    least = max(question.least_degree, members.regular or 0)
    for v in range(members.nodes):
        own = [variable for link, variable in links.items() if v in link]
        if most is not None and most < len(own):
            cnf.at_most(own, most)
        if least > len(own):
            cnf.add()
        elif least:
            cnf.add(cnf.counted(own, least)[least - 1])
