"""Plans over centres: every plan and schedule replayed, values that are known."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound, Status
from schedsolve.models import build_problem
from schedsolve.models.synchronous.bounds.cut_program import cut_program
from schedsolve.models.synchronous.bounds.translations import keeping_group, translation_subgroups
from schedsolve.models.synchronous.formulation.centre_nodes import Centre
from schedsolve.models.synchronous.formulation.centres import CentreProgram, fitting_chunks, planned_schedules
from schedsolve.models.synchronous.formulation.reductions import ReductionSearch
from schedsolve.models.synchronous.formulation.search import Search
from schedsolve.models.synchronous.formulation.tree_growth import TreeGrowth
from schedsolve.models.synchronous.rules import replay
from schedsolve.models.synchronous.rules.steps import Send, Step, StepSchedule
from schedsolve.network.automorphisms import Automorphism, is_automorphism
from schedsolve.solving.solve import solve


def posed(network: str, steps: int, **more: Any) -> Problem:
    """The allreduce."""
    return build_problem("synchronous", "allreduce", network, {"steps": steps, **more})


def best(
    problem: Problem, seconds: float = 20.0, group: Sequence[Automorphism] | None = None, most: int = 12
) -> Fraction:
    """The least value of the schedules found in so many passes, all of which are replayed."""
    program = CentreProgram(problem, group)
    passes = 0
    for value in program.improve(seconds):
        passes += value is not None
        if passes > most:
            break
    values = []
    for schedule in program.schedules():
        if schedule is not None:
            seen = replay(problem, schedule)
            assert seen.violation is None
            values.append(Fraction(schedule.rounds, schedule.chunks or 1))
    return min(values)


@pytest.mark.parametrize(
    ("network", "steps", "more", "value"),
    [
        # Two neighbours exchange what they have: one step less than over one node.
        ("path:4", 3, {}, Fraction(3)),
        ("path:2", 1, {}, Fraction(1)),
        ("path:4", 3, {"chunks": 2}, Fraction(3)),
        # Every link of a ring of four as a centre, in turn; counting says that less is not possible.
        ("cycle:4", 3, {}, Fraction(3, 4)),
        # Relays in between, and a switch.
        ("cycle:6", 4, {"ranks": "0,2,3"}, Fraction(4)),
        ("kautz:2,1", 4, {}, Fraction(1)),
        ("leaf-spine:3,2,1", 3, {}, Fraction(2)),
    ],
)
def test_small_networks(network: str, steps: int, more: dict[str, Any], value: Fraction) -> None:
    """The value that the steps allow over a centre."""
    assert best(posed(network, steps, **more)) == value


def test_a_torus_with_a_hole() -> None:
    """In 7 steps one node is near enough to all to be the only centre; with pairs there are many."""
    problem = posed("torus:4x4-without-5", 7)
    program = CentreProgram(problem)
    assert len(program.centres) > 20
    assert best(problem, most=2) < Fraction(3, 4)


def test_a_centre_of_two() -> None:
    """The ends of the middle link of a path add up their sides, exchange, and pass on."""
    problem = posed("path:4", 3)
    program = CentreProgram(problem)
    assert program.centres == [Centre((1, 2), 1)]
    _, plan = program.planned(program.centres[0], [[1.0] * len(program.growth.links)] * 3)
    routes = program.growth.routes
    named = [(t, routes[i].sender, routes[i].receiver, adds) for t, i, adds in plan.sends]
    assert sorted(named) == [
        (1, 0, 1, True),
        (1, 3, 2, True),
        (2, 1, 2, True),
        (2, 2, 1, True),
        (3, 1, 0, False),
        (3, 2, 3, False),
    ]


@pytest.mark.parametrize(("steps", "value"), [(3, Fraction(1)), (4, Fraction(2, 3))])
def test_a_cube_as_a_centre(steps: int, value: Fraction) -> None:
    """All eight nodes exchange their sums, or the four of a side: the optimal values."""
    problem = posed("hypercube:3", steps)
    group = translation_subgroups(problem.network)[0]
    sizes = {len(centre.nodes) for centre in CentreProgram(problem, group).centres}
    assert sizes == {3: {8}, 4: {4, 8}}[steps]
    assert best(problem, group=group) == value


def test_parts_of_the_buffer() -> None:
    """As many as there are translations; chunks that these do not divide have no schedule."""
    problem = posed("cycle:4", 3)
    group = translation_subgroups(problem.network)[0]
    assert best(problem, group=group) == Fraction(3, 4)
    assert best(posed("cycle:4", 3, chunks=8), group=group) == Fraction(3, 4)
    program = CentreProgram(posed("cycle:4", 3, chunks=6), group)
    assert list(program.improve(0.2))
    assert list(program.schedules()) == []


@pytest.mark.parametrize(
    ("more", "parts"), [({}, 4), ({"chunks": 8}, 4), ({"chunks": 3}, 1), ({"ranks": "0,2"}, 1)]
)
def test_translations_divide_the_chunks(more: dict[str, Any], parts: int) -> None:
    """Those of the ring of four; two nodes of it, where only some are ranks, are not moved."""
    search = ReductionSearch(posed("cycle:4", 4, **more), lambda: 1.0, False)
    assert len(search._group()) == parts


def test_the_plan_of_a_schedule() -> None:
    """Its images balance the links; a value takes the place of another before one is added to it."""
    problem = posed("complete:4", 2)
    first = Step(1, (Send(0, 1, (0,), (), True), Send(2, 3, (0,), (), True)))
    ends = [(1, 0, False), (3, 0, True), (3, 2, False), (1, 2, True), (3, 1, True), (1, 3, True)]
    second = Step(1, tuple(Send(u, v, (0,), (), adds) for u, v, adds in ends))
    schedule = StepSchedule((first, second), 1)
    assert replay(problem, schedule).violation is None
    program = CentreProgram(problem, translation_subgroups(problem.network)[0])
    program.take(schedule)
    found = [s for s in planned_schedules(program, 0.2, lambda: 1.0) if s is not None]
    assert all(replay(problem, s).violation is None for s in found)
    assert min(Fraction(s.rounds, s.chunks or 1) for s in found) <= Fraction(5, 6)


def test_nodes_from_which_others_are_cheaper_come_first() -> None:
    """The way to one node costs more than that to any other, and less than what it saves."""
    growth = TreeGrowth(build_problem("synchronous", "allgather", "complete:5", {"steps": 2}).network)
    first = [3.0 if link == (0, 1) else 9.0 for link in growth.links]
    second = [1.0 if u == 1 else 2.0 for u, _ in growth.links]
    back = [[of[growth.links.index((v, u))] for u, v in growth.links] for of in (second, first)]

    def cost(costs: Sequence[Any], *, relayed: bool, inward: bool = False) -> float:
        hops = growth.hops(costs)
        grow = growth.inward if inward else growth.outward
        return float(sum(hops[t - 1][i] for t, i in grow((0,), range(5), hops, relayed=relayed)))

    assert cost([first, second], relayed=False) == 8
    assert cost([first, second], relayed=True) == 6
    assert cost(back, relayed=True, inward=True) == 6


@pytest.mark.parametrize(
    ("network", "steps", "value"),
    [("path:4", 3, Fraction(3)), ("cycle:4", 2, Fraction(1))],
)
def test_broadcasts(network: str, steps: int, value: Fraction) -> None:
    """From the source, the only centre; the values are those of the exact program."""
    problem = build_problem("synchronous", "broadcast", network, {"steps": steps, "source": 0})
    assert CentreProgram(problem).centres == [Centre((0,), 0)]
    assert best(problem) == solve(problem).value == value


@pytest.mark.parametrize(("steps", "value"), [(3, Fraction(1)), (4, Fraction(2, 3))])
def test_parts_of_a_broadcast(steps: int, value: Fraction) -> None:
    """Automorphisms that keep the source move them: the values of the exact program."""
    problem = build_problem("synchronous", "broadcast", "hypercube:3", {"steps": steps, "source": 5})
    group = keeping_group(problem.network, 5)
    assert len(group) == 3
    assert all(image[5] == 5 and is_automorphism(problem.network, image) for image in group)
    assert {tuple(one[v] for v in other) for one in group for other in group} == set(group)
    assert best(problem, group=group) == value
    assert keeping_group(build_problem("synchronous", "broadcast", "path:3", {"steps": 2}).network, 0) == (
        (0, 1, 2),
    )


@pytest.mark.parametrize(
    ("more", "parts"), [({}, 3), ({"chunks": 9}, 3), ({"chunks": 4}, 1), ({"ranks": "0,2"}, 1)]
)
def test_automorphisms_divide_the_chunks(more: dict[str, Any], parts: int) -> None:
    """Those of the cube that keep the source, for a broadcast to all."""
    problem = build_problem("synchronous", "broadcast", "hypercube:3", {"steps": 4, "source": 0, **more})
    assert len(Search(problem, lambda: 1.0, False)._alike()) == parts


@pytest.mark.parametrize(
    ("task", "network", "more", "value"),
    [
        ("allgather", "path:3", {"steps": 2}, Fraction(2)),
        ("allgather", "cycle:5", {"steps": 2}, Fraction(2)),
        ("allgather", "leaf-spine:2,3,1", {"steps": 2}, None),
        ("allgather", "grid:2x3", {"steps": 4, "ranks": "0,2,5"}, None),
        ("allgatherv", "path:3", {"steps": 2, "sizes": "1,2,1"}, None),
    ],
)
def test_shipments(task: str, network: str, more: dict[str, Any], value: Fraction | None) -> None:
    """Every shipment from its origin, with the group and without: the values of the exact program."""
    problem = build_problem("synchronous", task, network, more)
    exact = solve(problem).value
    assert value is None or exact == value
    assert best(problem) == exact
    if "ranks" not in more:
        assert best(problem, group=translation_subgroups(problem.network)[0]) == exact


def test_more_destinations_than_the_exact_program_takes() -> None:
    """Twelve nodes that share two switches: the grown trees meet the flow bound."""
    result = solve(build_problem("synchronous", "allgather", "leaf-spine:4,3,1", {"steps": 3}))
    assert (result.status, result.value) == (Status.OPTIMAL, Fraction(81, 7))


@pytest.mark.parametrize(("many", "first"), [(0, StepSchedule), (2000, Bound)])
def test_trees_come_before_prices_where_there_are_many_routes(
    monkeypatch: pytest.MonkeyPatch, many: int, first: type
) -> None:
    """Through switches, as the fractions of prices take long then."""
    monkeypatch.setattr("schedsolve.models.synchronous.formulation.search.MANY_ROUTES", many)
    monkeypatch.setattr("schedsolve.models.synchronous.formulation.search.CENTRE_SECONDS", (0.1, 0.1))
    problem = build_problem("synchronous", "allgather", "leaf-spine:4,3,1", {"steps": 3})
    found = Search(problem, lambda: 20.0, False).run()
    assert isinstance(next(finding for finding in found if finding is not None), first)


def test_no_cut_is_added_twice() -> None:
    """The mean of optima may violate cuts that are there, and destinations may share a cut."""
    problem = build_problem("synchronous", "allgather", "leaf-spine:4,3,1", {"steps": 3})
    cuts = cut_program(problem, translation_subgroups(problem.network)[0])
    assert cuts is not None
    found = cuts.flow_bound(60.0, lambda: 60.0)
    assert found is not None
    assert found.value == Fraction(81, 7)
    assert cuts.settled
    assert len(cuts.known) == len(cuts.cuts)


def test_a_bound_outlives_a_program_that_is_not_solved_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cuts join a program that then takes too long: what the one before proved still stands."""
    cuts = cut_program(
        build_problem("synchronous", "allgather", "petersen", {"steps": 2}), [tuple(range(10))]
    )
    assert cuts is not None
    first = cuts.flow_bound(0.0, lambda: 1.0)
    assert first is not None
    cuts.waiting = cuts.waiting or list(cuts.first_cuts())
    monkeypatch.setattr(cuts.lp, "solve", lambda _: None)
    again = cuts.flow_bound(1.0, lambda: 1.0)
    assert again is not None
    assert (again.value, again.step_rounds) == (first.value, first.step_rounds)


def test_a_node_that_is_reached_first() -> None:
    """The way to it is the cheapest within the steps; one that is too far is not asked for."""
    growth = TreeGrowth(build_problem("synchronous", "allgather", "cycle:5", {"steps": 3}).network)
    hops = growth.hops([[1.0] * len(growth.links)] * 3)

    def ends(via: tuple[int, int] | None) -> set[tuple[int, int, int]]:
        sends = growth.outward((0,), (2,), hops, via)
        return {(t, growth.routes[i].sender, growth.routes[i].receiver) for t, i in sends}

    assert ends(None) == ends((2, 1)) == {(1, 0, 1), (2, 1, 2)}
    assert ends((2, 2)) == {(1, 0, 1), (2, 1, 2)}
    assert growth.inward((0,), (2,), hops[:2])


def test_too_few_steps() -> None:
    """There is no centre, and no schedule."""
    program = CentreProgram(build_problem("synchronous", "allgather", "path:4", {"steps": 2}))
    assert not program.centres
    assert list(planned_schedules(program, 1.0, lambda: 1.0)) == []


def test_what_has_no_program() -> None:
    """Tasks without copies, and sums in the order of the nodes."""
    assert not CentreProgram.fits(posed("path:3", 4, ordered=True))
    assert not CentreProgram.fits(build_problem("synchronous", "alltoall", "path:3", {"steps": 2}))


def test_weights_that_are_more_than_needed() -> None:
    """Where links are idle a shipment may have plans for more than all of its chunks; it sends them once."""
    problem = build_problem("synchronous", "allgather", "cycle:5", {"steps": 3})
    program = CentreProgram(problem)
    list(program.improve(0.2))
    own = [plan for plan in program.plans if plan.shipment == 0][:2]
    others = {plan.shipment: plan for plan in program.plans if plan.shipment}
    schedule = program._packed(dict.fromkeys(own, 0.75) | dict.fromkeys(others.values(), 1.0), 4)
    assert (schedule.chunks, replay(problem, schedule).violation) == (4, None)


def test_numbers_of_chunks_that_fit() -> None:
    """First those with which whole rounds lose least; an idle step lasts a round too."""
    assert fitting_chunks([1 / 3, 1 / 4], 24)[:2] == [12, 24]
    assert fitting_chunks([0.0, 0.5], 9)[0] == 8
    assert fitting_chunks([1.0], 3) == [1, 2, 3]
    assert fitting_chunks([1.0], 0) == []
