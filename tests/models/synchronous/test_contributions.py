"""The formula about contributions, by hand: which variables there are, and how a model is read."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from schedsolve import Network, build_problem
from schedsolve.backends.sat import decide
from schedsolve.modelkit.problem import Problem
from schedsolve.models.synchronous.claims.compositions import unlimited_formula
from schedsolve.models.synchronous.claims.contributions import ContributionFormula, contribution_formula
from schedsolve.models.synchronous.claims.hops import routes
from schedsolve.models.synchronous.rules import Send, replay
from schedsolve.models.synchronous.rules.reductions import reduction_of

ORDERED = {"ordered": True}


def posed(task: str, network: Network, **parameters: Any) -> Problem:
    return build_problem("synchronous", task, network, parameters)


def written(problem: Problem, *rounds: int) -> ContributionFormula:
    return contribution_formula(reduction_of(problem), routes(problem.network), rounds, 1)


def there(formula: ContributionFormula) -> dict[tuple[int, int], set[int]]:
    """For every node and step of chunk 0 whose contributions can be there."""
    return {(v, step): set(holds) for (_, v, step), holds in formula.holds.items()}


def test_what_can_be_where() -> None:
    """A contribution is where it can have come by the step, and never where no way leads."""
    path = there(written(posed("allreduce", Network.from_spec("path:3"), steps=2), 1, 1))
    assert path == {
        **{(0, 0): {0}, (1, 0): {1}, (2, 0): {2}},
        **{(0, 1): {0, 1}, (1, 1): {0, 1, 2}, (2, 1): {1, 2}},
        **{(v, 2): {0, 1, 2} for v in range(3)},
    }
    one_way = Network(3, ((1, 0), (2, 0)), True)
    into = there(written(posed("reduce", one_way, root=0, steps=2, **ORDERED), 1, 1))
    assert into == {
        **{(v, step): {v} for v in (1, 2) for step in range(3)},
        **{(0, 0): {0}, (0, 1): {0, 1, 2}, (0, 2): {0, 1, 2}},
    }


def test_the_size_of_a_formula() -> None:
    """The clauses that the docstring lists, for a swap of two nodes in one step: own contributions; of each
    node that it keeps or is sent, what either brings, not both of the same; and the demand.
    """
    formula = written(posed("allreduce", Network.from_spec("path:2"), steps=1), 1)
    # Two at the start, four at the end, two kept, two sent, and a reason for each contribution of a source.
    assert formula.cnf.variable_count == 2 + 4 + 2 + 2 + 4
    assert len(formula.cnf.clauses) == 2 + 2 + 4 * (4 + 1) + 4
    unlimited = unlimited_formula(posed("allreduce", Network.from_spec("path:2"), steps=1, chunks=5))
    assert (unlimited.chunks, unlimited.step_rounds) == (1, (None,))
    assert unlimited.cnf.clauses == formula.cnf.clauses


@pytest.mark.parametrize(
    ("bandwidth", "rounds"), [(Fraction(1, 2), 2), (Fraction(2, 3), 2), (1, 1), (3, 1), (Fraction(2, 7), 4)]
)
def test_steps_that_last_as_long_as_they_like(bandwidth: Any, rounds: int) -> None:
    """What is read from a model takes the rounds that its slowest link needs; a step that waits takes one."""
    path = Network(3, ((0, 1), (1, 2)), bandwidths=(bandwidth, Fraction(bandwidth) * 2))
    problem = posed("reduce", path, root=0, steps=3, **ORDERED)
    formula = unlimited_formula(problem)
    _, model = decide(formula.cnf, 60)
    schedule = formula.schedule(model)
    assert replay(problem, schedule).violation is None
    for step in schedule.steps:
        widths = [path.bandwidth_of[link] for send in step.sends for link in send.links]
        assert step.rounds == (rounds if bandwidth in widths else -(-1 // min(widths)) if widths else 1)
    assert any(step.rounds == rounds for step in schedule.steps)


def test_arrivals_in_the_order_of_the_nodes() -> None:
    """Node 0 puts away what it has, and gets 2, 4 and 3: each continues what is there. Others come as they
    are.
    """
    network = Network(5, ((1, 0), (2, 0), (3, 0), (4, 0)), True)
    ways = sorted(routes(network), key=lambda route: (2, 4, 3, 1).index(route.sender))
    for ordered, senders in ((True, [2, 3, 4]), (False, [2, 4, 3])):
        more: dict[str, Any] = ORDERED if ordered else {}
        reduction = reduction_of(posed("reduce", network, root=0, steps=1, **more))
        formula = contribution_formula(reduction, ways, [1], 1)
        true = {formula.sent[0, i, 1] for i in range(3)} | {formula.holds[0, v, 0][v] for v in range(5)}
        (step,) = formula.schedule(true).steps
        assert step.sends == tuple(Send(v, 0, (0,), (), v != 2) for v in senders)


def test_what_takes_a_place_comes_first() -> None:
    """Chunk 0 is added to, chunk 1 takes a place before another send adds to it, and useless sends are left
    out.
    """
    network = Network(4, ((0, 3), (1, 0), (2, 0), (3, 0)), True)
    reduction = reduction_of(posed("reduce", network, root=0, steps=1))
    formula = contribution_formula(reduction, routes(network), [4], 2)
    starts = {formula.holds[chunk, v, 0][v] for v in range(4) for chunk in (0, 1)}
    (step,) = formula.schedule({*formula.sent.values(), *starts, formula.keeps[0, 0, 1]}).steps
    assert step.sends == (
        Send(1, 0, (1,), (), False),
        Send(1, 0, (0,), (), True),
        Send(2, 0, (0, 1), (), True),
        Send(3, 0, (0, 1), (), True),
    )
