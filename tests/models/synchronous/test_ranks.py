"""Collectives in steps among some compute nodes, and unequal demands: rules, claims, values, refusals."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from schedsolve.certify.check import check_data
from schedsolve.modelkit.evidence import lower_claims
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.models.synchronous.claims import EVIDENCE
from schedsolve.models.synchronous.claims.orbits import orbit_representatives, shipment_images
from schedsolve.models.synchronous.rules import collective_of, replay
from schedsolve.models.synchronous.rules.steps import Send, Step, StepSchedule
from schedsolve.runtime.errors import ClaimError, InputError
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve
from tests.needs import needs
from tests.soak.collectives import GROUPS, SYNCHRONOUS, random_question, try_question

CLAIMS = lower_claims(EVIDENCE)


def posed(task: str, network: str, steps: int = 2, **options: Any) -> Problem:
    """The problem of some steps."""
    return build_problem("synchronous", task, network, {"steps": steps, **options})


MATRIX = [[0, 1, 2], [0, 0, 0], [1, 0, 0]]
LEAVES = [1, 2, 3]


@needs("export")
@pytest.mark.parametrize(
    ("problem", "value"),
    [
        # Over the hub of a star: a leaf's link takes two shards; a sum goes in once and out once.
        (posed("allgather", "star:4", ranks=LEAVES, chunks=1), 3),
        (posed("allreduce", "star:4", ranks=LEAVES, chunks=1), 2),
        (posed("reduce", "star:4", ranks=LEAVES, root=2, chunks=1), 2),
        (posed("alltoall", "star:4", ranks=LEAVES, chunks=1), 4),
        # Opposite nodes of a ring: half of the chunks each way.
        (posed("alltoall", "cycle:4", ranks=[0, 2]), 1),
        (posed("broadcast", "cycle:4", ranks=[0, 2], source=2), 1),
        (posed("reduce-scatter", "cycle:4", ranks=[0, 2]), 1),
        # Two and no units of the ends of a path: those of 0 cross two links, one after the other.
        (posed("allgatherv", "path:3", sizes=[2, 0, 0]), 4),
        (posed("alltoallv", "path:3", sizes=MATRIX, chunks=1), 4),
        (posed("allgatherv", "cycle:4", 1, ranks=[0, 1], sizes=[3, 1]), 3),
    ],
    ids=str,
)
def test_values(problem: Problem, value: int | str) -> None:
    """Small ones by hand, certified and checked; there is no bundle of them."""
    from schedsolve.export.bundles.bundle import bundle_of

    result = solve(problem, Options(certify=True, time_limit=30))
    assert (str(result.status), result.value) == ("optimal", Fraction(value))
    data = result_to_json(result)
    assert check_data(data).complete
    with pytest.raises(InputError, match="there is no bundle"):
        bundle_of(data)


@pytest.mark.parametrize(
    ("task", "options", "words"),
    [
        ("allgather", {"ranks": [1]}, "two compute nodes or more"),
        ("broadcast", {"ranks": [1, 2], "source": 0}, "no rank"),
        ("reduce", {"ranks": [1, 2], "root": 1, "ordered": True}, "does not go with"),
        ("allgatherv", {"sizes": [1, 2]}, "takes 3 sizes"),
        ("alltoallv", {"sizes": [[30_000] * 3] * 3}, "at most 20000 together"),
    ],
)
def test_refusals(task: str, options: dict[str, Any], words: str) -> None:
    """One line each."""
    with pytest.raises(InputError, match=words):
        posed(task, "path:3", **options)


def test_shipments_of_sizes() -> None:
    """As many as the sizes say, in the order of the pairs; none from a node to itself."""
    matrix = collective_of(posed("alltoallv", "path:3", sizes=[[9, 1, 2], [0, 9, 0], [1, 0, 9]]))
    assert [(s.origin, s.destinations) for s in matrix.shipments] == [
        (0, (1,)),
        (0, (2,)),
        (0, (2,)),
        (2, (0,)),
    ]
    sizes = collective_of(posed("allgatherv", "path:3", sizes=[2, 0, 1]))
    assert [s.origin for s in sizes.shipments] == [0, 0, 2]


def test_images_of_like_shipments() -> None:
    """Of shipments with the same ends the first goes to the first; a task is kept or not."""
    turned = ((0, 1, 2), (2, 1, 0))
    kept = collective_of(posed("allgatherv", "path:3", sizes=[2, 1, 2]))
    assert shipment_images(kept, turned) == [[0, 1, 2, 3, 4], [3, 4, 2, 0, 1]]
    assert list(orbit_representatives(kept, turned)) == [0, 1, 2]
    assert list(orbit_representatives(kept, turned[:1])) == [0, 1, 2, 3, 4]
    with pytest.raises(KeyError):
        shipment_images(collective_of(posed("allgatherv", "path:3", sizes=[2, 1, 1])), turned)


def test_symmetries_of_prices_keep_sizes_and_ranks() -> None:
    """The turned path is a symmetry of equal sizes only, and of ranks at both ends."""
    evidence = {"kind": "prices", "links": [[0, 1, 1, 1]], "symmetries": [[0, 1, 2], [2, 1, 0]]}
    for options, held in (
        ({"sizes": [[0, 1, 2], [0, 0, 0], [2, 1, 0]]}, True),
        ({"sizes": MATRIX}, False),
        ({"ranks": [0, 2], "sizes": [[0, 1], [1, 0]]}, True),
        ({"ranks": [0, 1], "sizes": [[0, 1], [1, 0]]}, False),
    ):
        problem = posed("alltoallv", "path:3", **options)
        if held:
            CLAIMS["prices"](problem, evidence)
        else:
            with pytest.raises(ClaimError, match="does not map the task to itself"):
                CLAIMS["prices"](problem, evidence)


@pytest.mark.parametrize(
    ("sends", "words"),
    [
        ([[(1, 0), (2, 0), (3, 0)], [(0, 1), (0, 2), (0, 3)]], ""),
        ([[(1, 0), (2, 0)], [(0, 1), (0, 2), (0, 3)]], "without the contribution of node 3"),
        ([[(0, 1), (2, 0)], [(0, 1), (0, 2), (0, 3)]], "node 0 has nothing of chunk 0 to send"),
    ],
)
def test_sums_at_a_relay(sends: list[list[tuple[int, int]]], words: str) -> None:
    """The hub of a star adds up and copies, and has nothing of its own."""
    problem = posed("allreduce", "star:4", ranks=LEAVES, chunks=1)
    steps = tuple(
        Step(1, tuple(Send(u, v, (0,), (), adds=number == 0) for u, v in step))
        for number, step in enumerate(sends)
    )
    seen = replay(problem, StepSchedule(steps, 1))
    assert words in (seen.violation or "")
    assert bool(words) == bool(seen.violation)


def test_claims_about_allreduces() -> None:
    """Counting takes a rank in every group, parts are at ranks, ends are those of ranks."""
    star = posed("allreduce", "star:4", ranks=LEAVES)
    with pytest.raises(ClaimError, match="every group has a rank"):
        CLAIMS["counting"](star, {"kind": "counting"})
    assert CLAIMS["counting"](star, {"kind": "counting", "groups": [[0, 1], [2], [3]]}) == 1
    assert CLAIMS["bandwidth"](star, {}) == 1
    for node, held in ((1, True), (0, False)):
        part = {"kind": "part", "task": "broadcast", "node": node, "evidence": {"kind": "bandwidth"}}
        if held:
            assert CLAIMS["part"](star, part) == 1
        else:
            with pytest.raises(ClaimError, match="from a rank"):
                CLAIMS["part"](star, part)
    # Two groups of a path whose ends take part, with the slow link between them.
    path = posed("allreduce", "path:3", ranks=[0, 2])
    assert CLAIMS["counting"](path, {"kind": "counting", "groups": [[0], [1, 2]]}) == 1


@needs("machines")
def test_programs_are_of_the_ranks_alone() -> None:
    """Where relays hold chunks there is none, where they do not the ranks are numbered 0, 1, ..."""
    from schedsolve.machines.movement.saved_schedule import movement_of

    near = solve(posed("allgather", "complete:4", 1, ranks=[1, 3], chunks=1))
    assert near.indexed is not None
    moved = movement_of(near.problem, near.indexed)
    assert (moved.layout.ranks, moved.rank) == (2, {1: 0, 3: 1})
    far = solve(posed("allgather", "path:3", ranks=[0, 2], chunks=1))
    assert far.indexed is not None
    with pytest.raises(InputError, match="relays hold chunks"):
        movement_of(far.problem, far.indexed)
    sized = solve(posed("allgatherv", "path:2", 1, sizes=[1, 2]))
    assert sized.indexed is not None
    with pytest.raises(InputError, match="not written as a program"):
        movement_of(sized.problem, sized.indexed)


@pytest.mark.parametrize("part", range(3))
def test_a_sample_agrees_with_the_oracle(part: int) -> None:
    """Small questions of all ten tasks, among some nodes or all: status, value and both bounds."""
    outcomes = Counter[str]()
    kind = GROUPS._replace(models=(SYNCHRONOUS,))
    for number in range(40):
        outcome, finding = try_question(random_question(Random(f"ranks {part} {number}"), (kind,)), number)
        assert not finding
        outcomes[outcome] += 1
    assert outcomes["agreed"] > 30


@pytest.mark.parametrize("network", ["grid:3x4", "kautz:2,2"])
def test_backwards_a_relay_has_what_it_sends(network: str) -> None:
    """A broadcast by parts leaves out what a relay would get and not pass on."""
    nodes = list(range(0, 12 if network == "grid:3x4" else 6, 2))
    problem = posed("reduce", network, steps=11, ranks=nodes, root=0)
    assert construct(problem, "scatter-allgather")
