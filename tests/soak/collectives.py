"""Random problems of the two models of collectives, and the oracles' word on what the package says of them.

A question is plain data, which the oracles of tests/reference answer without the package; `posed` makes a
problem of it by way of a .topo file. `try_collective` is a case of the soak.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from schedsolve.certify.check import check_data
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Result, result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.files.node_link import network_to_json
from schedsolve.network.files.topology_file import TOPOLOGY_FORMAT, network_from_topology
from schedsolve.network.named.families import family_network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.solve import solve
from tests.reference.machines_ways import Machine, TooLargeError, machine
from tests.reference.pipelined_oracle import least_time
from tests.reference.synchronous_oracle import least_rounds, least_rounds_per_chunk
from tests.soak.truths import Truth

SYNCHRONOUS, PIPELINED = "synchronous", "pipelined"
SOURCE_TASKS, ROOT_TASKS = ("broadcast", "scatter"), ("gather", "reduce")
REDUCTIONS = ("reduce", "reduce-scatter", "allreduce")
TASKS = ("broadcast", "scatter", "gather", "allgather", "alltoall", *REDUCTIONS)
TREE_TASKS = ("broadcast", "allgather", "allgatherv", *REDUCTIONS)
UNEQUAL_TASKS = ("allgatherv", "alltoallv")
SECONDS = 6.0

Given = tuple[int, int, Fraction]


class Question(NamedTuple):
    """A problem in plain data. links: (from, to, bandwidth) as a file gives them, parallel ones, and perhaps
    one of bandwidth 0. node: the source or the root. options: steps, chunks, rounds, ordered, switches_copy,
    ranks, sizes.
    """

    model: str
    task: str
    nodes: int
    switches: frozenset[int]
    links: tuple[Given, ...]
    directed: bool
    node: int | None
    options: Mapping[str, Any]

    @property
    def machine(self) -> Machine:
        """The network for the oracles."""
        whole = machine(self.nodes, self.switches, self.links, directed=self.directed)
        return whole._replace(ranks=tuple(self.options.get("ranks", ())))

    def __str__(self) -> str:
        links = " ".join(f"{u}{'>' if self.directed else '-'}{v}:{b}" for u, v, b in self.links)
        at = "" if self.node is None else f" at {self.node}"
        return (
            f"{self.model} {self.task}{at} on {self.nodes} nodes, switches {sorted(self.switches)}, links"
            f" {links}, {dict(self.options)}"
        )


def with_options(question: Question, **changes: Any) -> Question:
    """The question with some options changed; None removes one."""
    merged = {**question.options, **changes}
    return question._replace(options={name: value for name, value in merged.items() if value is not None})


UNEQUAL = ((1, 2, 3), (1, Fraction(1, 2), 3), (2, Fraction(3, 2), Fraction(2, 3)))


class Kind(NamedTuple):
    """What the questions of a kind are drawn from. relays: how many switches; chunks: None for any number;
    groups: how often the collective is among some compute nodes.
    """

    models: tuple[str, ...] = (SYNCHRONOUS, SYNCHRONOUS, PIPELINED)
    tasks: tuple[str, ...] = TASKS
    compute: tuple[int, ...] = (1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 5)
    relays: tuple[int, ...] = (0, 0, 1, 1, 2, 3)
    shapes: tuple[str, ...] = ("hosts", "anywhere", "tree")
    steps: tuple[int, ...] = (1, 2, 2, 3, 3, 4)
    chunks: tuple[int | None, ...] = (None, None, 1, 1, 2, 3)
    ordered: float = 0.4
    bandwidths: tuple[tuple[int | Fraction, ...], ...] = ((1,), (1, 1, 2), *UNEQUAL)
    groups: float = 0.0


KINDS = (
    Kind(),
    Kind((SYNCHRONOUS,), REDUCTIONS, (3,), (0,), ("anywhere", "tree"), (2, 3, 3), (2, 2, 3), 0.7, UNEQUAL),
    Kind((SYNCHRONOUS,), TASKS, (4, 5), (1, 2), ("hosts",), (1, 1, 2), (None, 1)),
)
GROUPS = Kind(
    tasks=(*TASKS, *UNEQUAL_TASKS),
    compute=(3, 3, 4),
    relays=(0, 0, 1),
    steps=(1, 2, 2, 3),
    chunks=(None, 1, 2),
    ordered=0.0,
    groups=0.8,
)
SMALL = Kind(compute=(2, 3, 3), relays=(0, 0, 1), steps=(1, 2, 2, 3), chunks=(None, 1, 2))
"""Anything; sums of a few chunks over links of different bandwidths; hosts behind switches in few
steps; some of the compute nodes, and sizes; and what is soon solved.
"""


def random_question(random: Random, kinds: Sequence[Kind] = KINDS) -> Question:
    """A small question of some kind; its rounds, if it gives any, are near what the oracle says.

    Of those that the package refuses four in five are left out.
    """
    question = _question(random, random.choice(kinds))
    while is_refused(question) and random.random() < 0.8:
        question = _question(random, random.choice(kinds))
    return question


def _question(random: Random, kind: Kind) -> Question:
    model, task, count = random.choice(kind.models), random.choice(kind.tasks), random.choice(kind.compute)
    relays = max(random.choice(kind.relays), 2 - count)
    nodes = list(range(count + relays))
    random.shuffle(nodes)
    compute, switches = sorted(nodes[:count]), sorted(nodes[count:])
    options: dict[str, Any] = {}
    if task in REDUCTIONS and random.random() < kind.ordered:
        options["ordered"] = True
    if model == PIPELINED and task in TREE_TASKS and random.random() < 0.25:
        options["switches_copy"] = True
    directed = random.random() < 0.5
    links = _links(random, kind, compute, switches, directed)
    ranks = compute
    if kind.groups and random.random() < kind.groups:
        ranks = sorted(random.sample(compute, random.randint(2, len(compute))))
        options |= {"ranks": ranks} if len(ranks) < len(compute) else {}
    if task in UNEQUAL_TASKS:
        options["sizes"] = _sizes(random, task, len(ranks))
    node = random.choice(ranks) if task in (*SOURCE_TASKS, *ROOT_TASKS) else None
    question = Question(model, task, len(nodes), frozenset(switches), links, directed, node, options)
    return question if model == PIPELINED else _with_steps(random, question, kind)


def _sizes(random: Random, task: str, ranks: int) -> list[Any]:
    """Sizes, one of them above 0."""
    if task == "allgatherv":
        sizes = [random.choice((0, 1, 1, 2)) for _ in range(ranks)]
        return sizes if any(sizes) else [1] * ranks
    return [
        [random.choice((0, 1, 2)) if k != (i + 1) % ranks else 1 for k in range(ranks)] for i in range(ranks)
    ]


def _links(
    random: Random, kind: Kind, compute: list[int], switches: list[int], directed: bool
) -> tuple[Given, ...]:
    """Links in some shape, hosts at the switches of a star, a chain or a ring, a tree, or anywhere; some
    more, parallel ones too; and now and then one of bandwidth 0.
    """
    nodes = random.sample([*compute, *switches], len(compute) + len(switches))
    shape, bandwidths = random.choice(kind.shapes), random.choice(kind.bandwidths)
    if shape == "hosts" and switches:
        pairs = [(v, random.choice(switches)) for v in compute] + list(pairwise(switches))
        pairs += [(switches[-1], switches[0])] if len(switches) > 2 and random.random() < 0.5 else []
    elif shape == "anywhere":
        pairs = [_pair(random, nodes) for _ in range(random.randint(1, 2 * len(nodes)))]
    else:
        pairs = [(nodes[i], random.choice(nodes[:i])) for i in range(1, len(nodes))]
    pairs += [_pair(random, nodes) for _ in range(random.choice((0, 0, 1, 2)))]
    links = [(u, v, Fraction(random.choice(bandwidths))) for u, v in pairs]
    if directed:
        links += [(v, u, Fraction(random.choice(bandwidths))) for u, v in pairs if random.random() < 0.75]
    if random.random() < 0.02:
        links.append((*_pair(random, nodes), Fraction(0)))
    return tuple(random.sample(links, len(links)))


def _pair(random: Random, nodes: list[int]) -> tuple[int, int]:
    u, v = random.sample(nodes, 2)
    return u, v


def _with_steps(random: Random, question: Question, kind: Kind) -> Question:
    """The question with steps, and perhaps chunks, and perhaps rounds near the least."""
    steps, chunks = random.choice(kind.steps), random.choice(kind.chunks)
    question = with_options(question, steps=steps, chunks=chunks)
    if chunks is None or random.random() < 0.6:
        return question
    near = steps + chunks
    with suppress(TooLargeError):
        near = int((truth(question) or 0) * chunks) or near
    return with_options(question, rounds=max(1, near + random.choice((-1, -1, 0, 1))))


def truth(question: Question) -> Fraction | None:
    """The least value of the question, rounds asked for left aside, by the oracle; None when there is none.

    Raises TooLargeError when the oracle does not reach so far.
    """
    of, options = question.machine, question.options
    ordered, sizes = bool(options.get("ordered")), options.get("sizes", ())
    if question.model == PIPELINED:
        copying = bool(options.get("switches_copy"))
        return least_time(question.task, of, question.node, ordered=ordered, copying=copying, sizes=sizes)
    steps, chunks = options["steps"], options.get("chunks")
    if chunks is None:
        return least_rounds_per_chunk(question.task, of, steps, question.node, ordered=ordered, sizes=sizes)
    rounds = least_rounds(question.task, of, chunks, steps, question.node, ordered=ordered, sizes=sizes)
    return None if rounds is None else Fraction(rounds, chunks)


def asked(question: Question) -> Fraction | None:
    """The value to decide; None when the least is asked for."""
    rounds = question.options.get("rounds")
    return None if rounds is None else Fraction(rounds, question.options["chunks"])


def is_refused(question: Question) -> bool:
    """Whether the package has to refuse the question: fewer than two compute nodes, a link of bandwidth 0,
    fewer rounds than steps, or somebody out of reach.
    """
    compute = question.machine.members
    if len(compute) < 2 or any(not bandwidth for _, _, bandwidth in question.links):
        return True
    if question.options.get("rounds", question.options.get("steps", 0)) < question.options.get("steps", 0):
        return True
    needed = {(u, v) for u in compute for v in compute if u != v}
    sizes: Any = question.options.get("sizes")
    if question.task == "allgatherv":
        needed = {(u, v) for u, v in needed if sizes[compute.index(u)]}
    if question.task == "alltoallv":
        needed = {(u, v) for u, v in needed if sizes[compute.index(u)][compute.index(v)]}
    if question.task in SOURCE_TASKS:
        needed = {(u, v) for u, v in needed if u == question.node}
    if question.task in ROOT_TASKS:
        needed = {(u, v) for u, v in needed if v == question.node}
    return any(v not in _reached(question.machine, u) for u, v in needed)


def _reached(of: Machine, start: int) -> set[int]:
    found = {start}
    while grown := {v for u, v in of.links if u in found} - found:
        found |= grown
    return found


def posed(question: Question) -> Problem:
    """The problem, its network read as a .topo file. Raises InputError when the package refuses it."""
    network = network_from_topology(
        {
            "format": TOPOLOGY_FORMAT,
            "compute": list(question.machine.compute),
            "switches": sorted(question.switches),
            "directed": question.directed,
            "links": [[u, v, str(bandwidth)] for u, v, bandwidth in question.links],
        }
    )
    options = dict(question.options)
    if question.node is not None:
        options["source" if question.task in SOURCE_TASKS else "root"] = question.node
    return build_problem(question.model, question.task, network, options)


def saved_question(data: Mapping[str, Any]) -> Question:
    """The question of a saved problem, read apart from the package but for the families."""
    network, options = data["network"], dict(data["parameters"])
    if isinstance(network, str):
        network = network_to_json(family_network(network))
    labels = [node["id"] for node in network["nodes"]]
    labels = sorted(labels) if all(isinstance(label, int) for label in labels) else labels
    number = {label: i for i, label in enumerate(labels)}
    switches = frozenset(number[one["id"]] for one in network["nodes"] if one.get("switch"))
    node: Any = None
    if data["task"] in (*SOURCE_TASKS, *ROOT_TASKS):
        label = options.pop("source" if data["task"] in SOURCE_TASKS else "root", None)
        node = min(set(number.values()) - switches) if label is None else number[label]
    return Question(
        data["model"],
        data["task"],
        len(labels),
        switches,
        tuple(
            (number[link["source"]], number[link["target"]], Fraction(str(link.get("bandwidth", 1))))
            for link in network.get("edges", network.get("links"))
        ),
        network.get("directed", False),
        node,
        {name: _plain(name, value, number) for name, value in options.items()},
    )


def _plain(name: str, value: Any, number: Mapping[Any, int]) -> Any:
    """A parameter as the question has it."""
    if name == "ranks":
        return sorted(number[label] for label in value)
    return value if isinstance(value, bool | list) else int(value)


def saved_truth(data: Mapping[str, Any]) -> Truth | None:
    """What is true of a saved problem, rounds asked for left aside; None where the oracle does not reach."""
    question = saved_question(data)
    # More than these an oracle does not go through, and it takes long to see that.
    if question.nodes > 8 or question.options.get("steps", 1) > 5 or question.options.get("chunks", 1) > 8:
        return None
    try:
        return Truth(truth(question))
    except TooLargeError:
        return None


def small_question(random: Random, *models: str) -> Question:
    """A question that is soon answered, of one of some models."""
    return random_question(random, (SMALL._replace(models=models) if models else SMALL,))


def small_problem(random: Random) -> Problem:
    """The problem of a small question. Raises InputError when it is refused."""
    return posed(small_question(random))


def broken_claim(question: Question, result: Result, least: Fraction | None) -> str:
    """What a result says that the truth contradicts; "" when it says nothing of the kind."""
    status, value, lower = str(result.status), result.value, result.lower_bound
    wanted = asked(question)
    if value is not None and (least is None or value < least):
        return f"a schedule with the value {value}"
    if lower is not None and least is not None and lower > least:
        return f"the lower bound {lower}"
    if status == "optimal" and (value is None or value != least):
        return f"optimal {value}"
    if status == "infeasible" and least is not None and (wanted is None or least <= wanted):
        return "infeasible"
    if status == "feasible" and (wanted is None or least is None or least > wanted):
        return "feasible"
    return ""


def try_collective(random: Random) -> tuple[str, str]:
    """Solve a random question and compare with the oracle: what came of it, and a finding, "" when there is
    none. "open" when the solver left it open, "too large" when the oracle does not reach so far.
    """
    return try_question(random_question(random), random.randrange(9))


def try_question(question: Question, seed: int) -> tuple[str, str]:
    """The same for a given question. seed: of the solver."""
    try:
        least = truth(question)
    except TooLargeError:
        return "too large", ""
    try:
        problem = posed(question)
    except InputError as error:
        return ("refused", "") if is_refused(question) else ("disagreement", f"{question}: refused, {error}")
    if is_refused(question):
        return "disagreement", f"{question}: not refused"
    result = solve(problem, Options(time_limit=SECONDS, certify=True, seed=seed))
    broken = broken_claim(question, result, least)
    if broken:
        return "disagreement", f"{question}: {broken}, by the oracle {least}"
    report = check_data(json.loads(json.dumps(result_to_json(result))))
    settled = result.status not in ("bounded", "unknown")
    if report.failed or (settled and not report.complete):
        return "not certified", f"{question}: {result.status} {result.value}: {report.text}"
    return ("agreed" if settled else f"open {question.model} {question.task}"), ""
