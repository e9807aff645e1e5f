"""Relations between answers that hold whatever the answers are: random pairs of questions of the two models
of collectives whose least values must be equal, or one at most the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from schedsolve.modelkit.search import Options
from schedsolve.runtime.errors import InputError
from schedsolve.solving.solve import solve
from tests.soak.collectives import (
    KINDS,
    PIPELINED,
    REDUCTIONS,
    SYNCHRONOUS,
    TREE_TASKS,
    Kind,
    Question,
    asked,
    is_refused,
    posed,
    random_question,
    with_options,
)

SECONDS = 6.0
INFINITE = Fraction(10**9)
BACKENDS = {SYNCHRONOUS: ("sat", "cpsat", "pulp"), PIPELINED: ("flows", "lp", "cpsat", "pulp")}


class Relation(NamedTuple):
    """The least value of one question is at most that of the other times a factor, plus something more.

    equal: and at least that. backend: with which the one is solved.
    """

    one: Question
    other: Question
    factor: Fraction = Fraction(1)
    more: Fraction = Fraction(0)
    equal: bool = False
    backend: str | None = None


Maker = Callable[[Random, Question], Relation | None]


def relabelled(random: Random, question: Question) -> Relation:
    """Other numbers for the nodes; with an order of the compute nodes these keep it, or turn it round."""
    image = list(range(question.nodes))
    random.shuffle(image)
    if question.options.get("ordered"):
        compute = question.machine.compute
        ranks = sorted((image[v] for v in compute), reverse=random.random() < 0.5)
        for v, rank in zip(compute, ranks, strict=True):
            image[v] = rank
    links = [(image[u], image[v], b) for u, v, b in question.links]
    random.shuffle(links)
    moved = question._replace(
        switches=frozenset(image[v] for v in question.switches),
        links=tuple(links),
        node=None if question.node is None else image[question.node],
    )
    return Relation(moved, question, equal=True)


def symmetric(random: Random, question: Question) -> Relation | None:
    """An undirected network and its symmetric digraph."""
    if question.directed:
        return None
    links = [link for u, v, b in question.links for link in ((u, v, b), (v, u, b))]
    return Relation(question._replace(directed=True, links=tuple(links)), question, equal=True)


def parallel(random: Random, question: Question) -> Relation:
    """A link, and two parallel ones that have its bandwidth together."""
    (u, v, b), *rest = random.sample(question.links, len(question.links))
    part = b * Fraction(random.randint(1, 3), 4)
    return Relation(question._replace(links=((u, v, part), *rest, (u, v, b - part))), question, equal=True)


def faster(random: Random, question: Question) -> Relation:
    """A unit of bandwidth more, or some of one, on a link."""
    (u, v, b), *rest = random.sample(question.links, len(question.links))
    more = random.choice((Fraction(1), Fraction(1, 2), Fraction(3)))
    return Relation(question._replace(links=((u, v, b + more), *rest)), question)


def one_more_link(random: Random, question: Question) -> Relation:
    """A link more."""
    u, v = random.sample(range(question.nodes), 2)
    return Relation(question._replace(links=(*question.links, (u, v, Fraction(1)))), question)


def scaled(random: Random, question: Question) -> Relation | None:
    """All bandwidths times a number: so much faster, where rounds need not be whole for each chunk."""
    if "chunks" in question.options:
        return None
    times = random.choice((Fraction(2), Fraction(3, 2), Fraction(1, 3)))
    links = tuple((u, v, b * times) for u, v, b in question.links)
    return Relation(question._replace(links=links), question, factor=1 / times, equal=True)


def one_more_step(random: Random, question: Question) -> Relation | None:
    """A step more never hurts over all chunks, and takes a round more at most for given ones."""
    if question.model == PIPELINED:
        return None
    question = with_options(question, rounds=None)
    chunks = question.options.get("chunks")
    longer = with_options(question, steps=question.options["steps"] + 1)
    return Relation(longer, question, more=Fraction(0) if chunks is None else Fraction(1, chunks))


def one_more_chunk(random: Random, question: Question) -> Relation | None:
    """As many rounds suffice for a chunk less."""
    question = with_options(question, rounds=None)
    if "chunks" not in question.options:
        return None
    chunks: int = question.options["chunks"]
    return Relation(question, with_options(question, chunks=chunks + 1), factor=Fraction(chunks + 1, chunks))


def multiplied(random: Random, question: Question) -> Relation | None:
    """Twice the chunks in twice the rounds."""
    question = with_options(question, rounds=None)
    if "chunks" not in question.options:
        return None
    return Relation(with_options(question, chunks=2 * question.options["chunks"]), question)


def free_chunks(random: Random, question: Question) -> Relation | None:
    """The best number of chunks against a given one."""
    question = with_options(question, rounds=None)
    if "chunks" not in question.options:
        return None
    return Relation(with_options(question, chunks=None), question)


def one_more_round(random: Random, question: Question) -> Relation | None:
    """What suffices with R rounds suffices with more."""
    if "rounds" not in question.options:
        return None
    return Relation(with_options(question, rounds=question.options["rounds"] + 1), question)


def decided(random: Random, question: Question) -> Relation | None:
    """A number of rounds decided, and the least number found."""
    if "rounds" not in question.options:
        return None
    return Relation(question, with_options(question, rounds=None), equal=True)


def another_backend(random: Random, question: Question) -> Relation:
    """Every backend by itself."""
    return Relation(question, question, equal=True, backend=random.choice(BACKENDS[question.model]))


def reversed_task(random: Random, question: Question) -> Relation | None:
    """A task and its reversal on the reversed network; of an allreduce only by trees."""
    pairs = {
        "broadcast": "reduce",
        "allgather": "reduce-scatter",
        "gather": "scatter",
        "alltoall": "alltoall",
    }
    pairs |= {other: one for one, other in pairs.items()}
    if question.model == PIPELINED:
        pairs["allreduce"] = "allreduce"
    if question.options.get("ordered") or question.task not in pairs:
        return None
    links = tuple((v, u, b) for u, v, b in question.links)
    return Relation(question._replace(task=pairs[question.task], links=links), question, equal=True)


def any_order(random: Random, question: Question) -> Relation | None:
    """Sums in any order against those in the order of the nodes."""
    if question.task not in REDUCTIONS:
        return None
    return Relation(with_options(question, ordered=None), with_options(question, ordered=True))


def switches_that_copy(random: Random, question: Question) -> Relation | None:
    """Switches that copy and add up against those that only forward."""
    if question.model == SYNCHRONOUS or question.task not in TREE_TASKS:
        return None
    return Relation(with_options(question, switches_copy=True), with_options(question, switches_copy=None))


def steady(random: Random, question: Question) -> Relation | None:
    """The pipelined time against any number of steps: a chunk goes along a tree or a way.

    Not for allreduces, where that is not proven, nor for ordered reductions, where a node may pass on a sum
    in two parts.
    """
    if question.model == PIPELINED or question.options.get("ordered") or question.task == "allreduce":
        return None
    question = with_options(question, rounds=None)
    return Relation(question._replace(model=PIPELINED, options={}), question)


def part(random: Random, question: Question) -> Relation | None:
    """An allreduce contains a reduce to any node, and a broadcast from any; in an order only in steps."""
    if question.task != "allreduce" or (question.model == PIPELINED and question.options.get("ordered")):
        return None
    node, task = random.choice(question.machine.compute), random.choice(("broadcast", "reduce"))
    one = question._replace(task=task, node=node)
    return Relation(with_options(one, ordered=None) if task == "broadcast" else one, question)


RELATIONS: tuple[Maker, ...] = (
    relabelled, symmetric, parallel, faster, one_more_link, scaled, one_more_step, one_more_chunk,
    multiplied, free_chunks, one_more_round, decided, another_backend, reversed_task, any_order,
    switches_that_copy, steady, part,
)  # fmt: skip


def interval(question: Question, backend: str | None, seed: int) -> tuple[Fraction, Fraction]:
    """Between what the package puts the least value."""
    options = Options(time_limit=SECONDS, backend=backend, seed=seed)
    result = solve(posed(question), options)
    low = Fraction(result.lower_bound or 0)
    high = INFINITE if result.value is None else Fraction(result.value)
    wanted = asked(question)
    if result.status == "infeasible":
        low = INFINITE if wanted is None else wanted + Fraction(1, question.options["chunks"])
    if result.status == "feasible" and wanted is not None:
        high = min(high, wanted)
    return low, high


def try_collective_relation(random: Random, kinds: Sequence[Kind] = KINDS) -> tuple[str, str]:
    """Solve two related questions of some kinds: what came of it, and a finding, "" when there is none.

    "open" when an answer is left so open that the relation says nothing.
    """
    question, relation, name = None, None, ""
    while relation is None:
        question = random_question(random, kinds)
        if not is_refused(question):
            maker = random.choice(RELATIONS)
            relation, name = maker(random, question), maker.__name__
    one, other, factor, more, equal, backend = relation
    seed = random.randrange(9)
    try:
        low, high = interval(one, backend, seed)
    except InputError:
        # A backend may have no formulation of a question, and says so.
        if backend is None:
            raise
        return "refused", ""
    other_low, other_high = interval(other, None, seed)
    by = "" if backend is None else f" by {backend}"
    named = f"{name}: {one}{by} in {low}..{high}, {other} in {other_low}..{other_high}"
    if other_high < INFINITE and low > factor * other_high + more:
        return "disagreement", named
    if equal and high < INFINITE and factor * other_low + more > high:
        return "disagreement", named
    return ("agreed" if low == high and other_low == other_high else "open"), ""
