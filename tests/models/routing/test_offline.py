"""The off-line optimum: that it is the greatest multiplicity, by trying everything, by two searches, and by
the construction.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement, permutations

import pytest

from schedsolve import Network, build_problem, solve
from schedsolve.certify.check import check_data
from schedsolve.modelkit.evidence import lower_claims
from schedsolve.modelkit.problem import Problem, problem_to_json
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options, Question
from schedsolve.models import model_of, read_problem
from schedsolve.models.routing.claims import (
    EVIDENCE,
    multiplicity,
    refutation_formula,
    routing_formula,
)
from schedsolve.models.routing.constructions import colour_messages, offline_schedule, route_permutation
from schedsolve.models.routing.formulation import sat_search
from schedsolve.models.routing.patterns import permutation
from schedsolve.models.routing.rules import messages_of, turning_level
from schedsolve.models.routing.simulation.collision_model import pair_collision_probability
from schedsolve.models.routing.simulation.experiment import experiment, run_experiment
from schedsolve.runtime.errors import ClaimError
from schedsolve.solving.constructions import construct
from tests.models.decisions import cpsat_search
from tests.reference.routing_reference import least_rounds, one_round_suffices

CLAIMS = lower_claims(EVIDENCE)

Message = tuple[int, int]


def problem_of(n: int, messages: list[Message]) -> Problem:
    return build_problem(
        "routing", "deliver", Network.from_spec(f"fat-tree:{n}"), {"messages": [list(m) for m in messages]}
    )


def replayed(problem: Problem) -> int:
    """The rounds of the construction's schedule, which the referee accepts."""
    seen = model_of(problem).replay(problem, offline_schedule(problem))
    assert seen.violation is None
    return int(seen.value)


def decided(problem: Problem, rounds: int) -> tuple[bool, bool]:
    """What both searches say; a schedule that they find is accepted and within the rounds."""
    answers = []
    for search in (sat_search(Question(problem, rounds)), cpsat_search(Question(problem, rounds))):
        assert search is not None
        answer = search.advance(60)
        assert answer is not None
        if answer:
            seen = model_of(problem).replay(*search.found())
            assert seen.violation is None
            assert seen.value <= rounds
        answers.append(answer)
        search.close()
    return answers[0], answers[1]


def of_permutation(image: tuple[int, ...] | list[int]) -> list[Message]:
    """A permutation's messages, but those to their own source."""
    return [(v, d) for v, d in enumerate(image) if v != d]


def test_all_permutations_of_four() -> None:
    """Every permutation of four nodes routes in one round: by trying, by both searches and by the
    construction.
    """
    for image in permutations(range(4)):
        messages = of_permutation(image)
        problem = problem_of(4, messages)
        expected = 1 if messages else 0
        assert replayed(problem) == multiplicity(problem) == expected
        assert one_round_suffices(4, messages)
        assert decided(problem, 1) == (True, True)


@pytest.mark.parametrize(("n", "count"), [(8, 20), (16, 6)])
def test_random_permutations(n: int, count: int) -> None:
    """So do random permutations of 8 and 16; random routing needs more rounds exactly where some two of its
    messages can collide.
    """
    generator = random.Random(n)
    above = 0
    for _ in range(count):
        messages = of_permutation(generator.sample(range(n), n))
        problem = problem_of(n, messages)
        assert replayed(problem) == 1
        assert decided(problem, 1) == (True, True)
        most = run_experiment(experiment(n, messages=messages), 100, seed=1).greatest
        assert (most > 1) == any(pair_collision_probability(a, b) for a, b in combinations(messages, 2))
        above += most > 1
    assert above >= 0.8 * count


def test_permutations_that_never_collide() -> None:
    """Those of four nodes, and 4480 of the 40320 of eight: no two messages can collide, whatever the
    ports.
    """
    for n, expected in ((4, 24), (8, 4480)):
        never = [
            all(not pair_collision_probability(a, b) for a, b in combinations(of_permutation(image), 2))
            for image in permutations(range(n))
        ]
        assert never.count(True) == expected


@pytest.mark.parametrize("n", [8, 16])
def test_the_bit_reversal(n: int) -> None:
    """Its optimum is one round; random routing takes more from n = 16 on, while on eight nodes no two of its
    messages can collide.
    """
    problem = build_problem(
        "routing", "deliver", Network.from_spec(f"fat-tree:{n}"), {"pattern": "bit-reversal"}
    )
    assert solve(problem).value == 1
    assert decided(problem, 1) == (True, True)
    assert max(construct(problem, "random-routing", seed=seed)[0].value for seed in range(5)) == (
        1 if n == 8 else 3
    )


def test_small_message_sets_of_four_by_trying_everything() -> None:
    """The optimum of sets of up to three messages is the greatest multiplicity, repeated messages
    included.
    """
    pairs = [(s, d) for s in range(4) for d in range(4) if s != d]
    for size in (1, 2):
        for messages in combinations_with_replacement(pairs, size):
            assert least_rounds(4, messages) == multiplicity(problem_of(4, list(messages)))
    for messages in random.Random(1).sample(list(combinations(pairs, 3)), 40):
        assert least_rounds(4, messages) == multiplicity(problem_of(4, list(messages)))


def load_factor(problem: Problem) -> int:
    """The greatest ratio, rounded up, of the messages that must pass a channel and its wires."""
    load: Counter[tuple[str, int, int]] = Counter()
    for source, destination in messages_of(problem):
        for level in range(turning_level(source, destination) + 1):
            load["up", level, source >> level] += 1
            load["down", level, destination >> level] += 1
    return max(-(-count // (1 << level)) for (_, level, _), count in load.items())


def test_searches_and_construction_on_random_message_sets() -> None:
    """The multiplicity suffices and one round less does not; the load factor (Leiserson 1985), which files of
    0.2.0 hold, says the same.
    """
    generator = random.Random(3)
    for n, most in ((2, 4), (4, 8), (8, 12)):
        for _ in range(12):
            messages = [
                (s, generator.choice([d for d in range(n) if d != s]))
                for s in generator.choices(range(n), k=most)
            ]
            problem = problem_of(n, messages)
            value = multiplicity(problem)
            assert load_factor(problem) == value == replayed(problem)
            assert decided(problem, value) == (True, True)
            assert decided(problem, value - 1) == (False, False)


def test_permutations_of_any_size() -> None:
    """The looping algorithm up to 512 nodes, on the paper's patterns and on random permutations."""
    for n in (2, 64, 512):
        images = [
            random.Random(n).sample(range(n), n),
            permutation("bit-reversal", n).tolist(),
            permutation("shift:1", n).tolist(),
        ]
        for image in images:
            assert replayed(problem_of(n, of_permutation(image))) == (1 if of_permutation(image) else 0)
            assert max(route_permutation(dict(enumerate(image)), n).values()) < max(1, n // 2)


def test_koenig() -> None:
    """As many rounds as the greatest multiplicity, and no source or destination twice in a round."""
    generator = random.Random(5)
    for _ in range(200):
        n = generator.randrange(1, 9)
        messages = [(generator.randrange(n), generator.randrange(n)) for _ in range(generator.randrange(30))]
        rounds = colour_messages(messages)
        most = max((c for end in (0, 1) for c in Counter(m[end] for m in messages).values()), default=0)
        assert max(rounds, default=-1) + 1 == most
        for end in (0, 1):
            assert len({(m[end], t) for m, t in zip(messages, rounds, strict=True)}) == len(messages)


def test_the_formula_has_no_symmetric_twin() -> None:
    """The messages of the busiest node are in rounds 1, 2, ...: with too few rounds the formula contradicts
    itself.
    """
    problem = problem_of(4, [(0, 3), (1, 3), (2, 3)])
    assert [refutation_formula(problem, {"rounds": r})[0] for r in (1, 2)] == [2, 3]
    assert routing_formula(problem, 0).cnf.clauses[0] == []
    for bad in ({"rounds": 3}, {"rounds": -1}, {"rounds": True}, {}):
        with pytest.raises(ClaimError):
            refutation_formula(problem, bad)


def test_results_are_certified() -> None:
    """A saved result is checked without its file of messages; one with other messages, or a higher bound, is
    not accepted.
    """
    problem = build_problem("routing", "deliver", Network.from_spec("fat-tree:8"), {"pattern": "random:4"})
    assert "pattern" not in problem.parameters
    assert read_problem(problem_to_json(problem)) == problem
    data = result_to_json(solve(problem, Options(certify="refutation")))
    assert data["status"] == "optimal"
    report = check_data(data)
    assert not report.failed
    assert any("refutation" in line for line in report.lines)
    data["problem"]["parameters"]["messages"].pop()
    assert check_data(data).failed


def test_rounds_are_decided() -> None:
    """--rounds below the multiplicity is infeasible, proven; at it feasible."""
    messages = [[0, 3], [1, 3], [2, 3]]
    for rounds, status in ((2, "infeasible"), (3, "feasible")):
        problem = build_problem(
            "routing", "deliver", Network.from_spec("fat-tree:4"), {"messages": messages, "rounds": rounds}
        )
        assert solve(problem).status == status


def test_claims_are_recomputed() -> None:
    """Every bound of the record is a claim."""
    problem = problem_of(4, [(0, 3), (1, 3), (2, 3)])
    for bound in model_of(problem).bounds(problem):
        assert bound.evidence is not None
        assert CLAIMS[bound.evidence["kind"]](problem, bound.evidence) == bound.value == 3
