"""Relations between the values of problems that must hold, whatever the values are: random pairs are solved
and compared, larger ones than a brute force answers.

What is compared is what the results claim: the least value lies in [lower bound, value], or beyond all where
nothing suffices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf
from random import Random
from typing import Any, NamedTuple

from schedsolve.modelkit.result import Result
from schedsolve.modelkit.search import Options
from schedsolve.network.graph import Label
from schedsolve.runtime.errors import InputError
from schedsolve.solving.solve import solve
from tests.soak import drawn
from tests.soak.questions import NODE_OPTIONS, Question
from tests.soak.truths import SHAPES

SECONDS = 6.0
"""For each solve; what it leaves open is compared by its bounds."""


MOST_NODES = {"matching": 8, "systolic": 6, "line": 6, "linear-cost": 4, "fat-tree": 16, "routing": 16}


class Claimed(NamedTuple):
    """Where a result says that the least value lies."""

    least: Fraction | float
    most: Fraction | float

    def __str__(self) -> str:
        return f"{self.least}..{self.most}"


def claimed(
    question: Question, backend: str | None = None, labels: Sequence[Label] = (), seed: int = 0
) -> Claimed:
    """What is claimed of a question; what cannot be posed is beyond every value."""
    try:
        problem = question.problem(labels)
    except InputError:
        return Claimed(inf, inf)
    return of_result(question, solve(problem, Options(time_limit=SECONDS, backend=backend, seed=seed)))


def of_result(question: Question, result: Result) -> Claimed:
    """What a result claims of the least value."""
    asked = question.options.get("rounds")
    if result.status == "infeasible":
        return Claimed(inf if asked is None else Fraction(asked + 1), inf)
    least = Fraction(0) if result.lower_bound is None else Fraction(result.lower_bound)
    return Claimed(least, inf if result.value is None else Fraction(result.value))


class Pair(NamedTuple):
    """Two claims, what is said of them ("no more than", "as much as"), and of which questions they are."""

    one: Claimed
    relation: str
    other: Claimed
    named: str

    @property
    def broken(self) -> bool:
        """Whether no two values in the claimed ranges are in the relation."""
        over = self.one.least > self.other.most
        return over if self.relation == "no more than" else over or self.other.least > self.one.most


Relation = Callable[[Random], Pair | None]
"""Draws two related questions; None where there is no such pair."""


def no_more(one: Question, other: Question) -> Pair:
    """The least value of one question is no more than that of another."""
    return Pair(claimed(one), "no more than", claimed(other), f"{one}, and {other}")


def as_much(one: Question, other: Question, **how: Any) -> Pair:
    """Two questions have the same least value; how: what the other one is solved with."""
    return Pair(claimed(one), "as much as", claimed(other, **how), f"{one}, and {other} {how or ''}")


def any_question(random: Random) -> Question:
    """A question of any round model."""
    name = random.choice(list(drawn.MODELS))
    return drawn.MODELS[name](random, MOST_NODES[name])


def end_option(question: Question) -> str:
    """The name of the option that says where a task starts or ends."""
    return "root" if question.task in ("accumulation", "product") else "source"


def without_prices(question: Question, rounds: int) -> Question:
    """A question of the linear cost model in so many rounds in all."""
    return question.having(alpha=None, tau=None, length=None, extra_rounds=None, total_rounds=rounds)


def on_a_graph(random: Random) -> Question:
    """A question whose network may be any graph."""
    while (question := any_question(random)).model in ("fat-tree", "routing"):
        pass
    return question


def relabelled(random: Random) -> Pair:
    """Other names and another order of the nodes change nothing."""
    question = on_a_graph(random)
    image = random.sample(range(question.nodes), question.nodes)
    default = {} if question.task == "gossip" else {end_option(question): 0}
    options = {
        name: _moved(value, image) if name in NODE_OPTIONS else value
        for name, value in {**default, **question.options}.items()
    }
    links = tuple((image[u], image[v]) for u, v in question.links)
    names = random.choice(((), [f"node {v}" for v in range(question.nodes)]))
    other = question._replace(links=tuple(random.sample(links, len(links))), options=options)
    return as_much(question, other, labels=names)


def _moved(value: Any, image: Sequence[int]) -> Any:
    if isinstance(value, list | tuple):
        return sorted(image[v] for v in value)
    return value if isinstance(value, str) else image[value]


def turned_tree(random: Random) -> Pair | None:
    """A fat-tree with halves of its subtrees exchanged is the same; a product where all are, which turns the
    order of the operands round.
    """
    question = random.choice((drawn.fat_tree, drawn.routing))(random, 16)
    n = (question.nodes + 1) // 2
    turn = n - 1 if question.task == "product" else random.randrange(n)
    if "messages" in question.options:
        messages = [[u ^ turn, v ^ turn] for u, v in question.options["messages"]]
        return as_much(question, question.having(messages=random.sample(messages, len(messages))))
    if question.task not in ("broadcast", "product"):
        return None
    name = end_option(question)
    return as_much(question, question.having(**{name: question.options.get(name, 0) ^ turn}))


def one_more_round(random: Random) -> Pair:
    """One more round to do it in never hurts."""
    if random.random() < 0.5:
        question = drawn.linear_cost(random, 4)
        plain = without_prices(question, random.randrange(1, 5))
        return no_more(plain.having(total_rounds=plain.options["total_rounds"] + 1), plain)
    while (question := any_question(random)).model == "fat-tree" or question.model == "linear-cost":
        pass
    if question.options.get("period") == "min":
        question = question.having(period=3)
    rounds = random.randrange(6)
    enough = claimed(question.having(rounds=rounds))
    more = claimed(question.having(rounds=rounds + 1))
    free = claimed(question.having(rounds=None))
    whole = Claimed(max(enough.least, more.least), min(enough.most, more.most))
    return Pair(whole, "as much as", free, f"{question} for {rounds} and {rounds + 1} rounds, and free")


def one_more_port(random: Random) -> Pair:
    """One more port never hurts, nor do ports for sending and receiving counted apart, nor all of them."""
    question = random.choice((drawn.line, drawn.linear_cost))(random, 4)
    if question.model == "line":
        question = question.having(ports=random.randint(1, 3), rounds=None)
        ports = random.choice(("all", question.options["ports"] + 1))
        return no_more(question.having(ports=ports), question)
    question = _in_rounds(random, question)
    if random.random() < 0.5:
        return no_more(question.having(weak_ports=True), question.having(weak_ports=None))
    return no_more(question.having(ports=question.options["ports"] + 1), question)


def _in_rounds(random: Random, question: Question) -> Question:
    """A question of the linear cost model with its rounds in all given, if it has no prices."""
    if "alpha" in question.options:
        return question
    return question.having(extra_rounds=None, total_rounds=random.randint(1, 4))


def one_more_link(random: Random) -> Pair | None:
    """One more link never hurts."""
    question = on_a_graph(random)
    if question.model == "linear-cost":
        question = _in_rounds(random, question)
    if question.options.get("period") == "min":
        question = question.having(period=random.randint(1, 5))
    present = set(question.links)
    missing = [
        (u, v)
        for u in range(question.nodes)
        for v in range(question.nodes)
        if u != v and (question.directed or u < v) and (u, v) not in present
    ]
    if not missing:
        return None
    return no_more(question._replace(links=(*question.links, random.choice(missing))), question)


def wider_channels(random: Random) -> Pair:
    """Wider channels of a fat-tree never hurt, and a table of its capacities says the same as a name."""
    question = drawn.fat_tree(random)
    n = (question.nodes + 1) // 2
    if "capacity" in question.options:
        table = [SHAPES[question.options["capacity"]](1 << j) for j in range(n.bit_length())]
        return as_much(question, question.having(capacity=None, capacity_table=table))
    table = list(question.options["capacity_table"])
    wider = [2 * width for width in table]
    return no_more(question.having(capacity_table=wider), question)


def backends(random: Random) -> Pair:
    """Every backend finds the same, or says less."""
    question = any_question(random)
    if "alpha" in question.options:
        question = without_prices(question, random.randint(1, 4))
    return as_much(question, question, backend=random.choice(("sat", "cpsat", "pulp")))


def symmetric_digraph(random: Random) -> Pair:
    """Arcs in both directions are as good as edges: one-way calls take no other; on lines a call in each
    direction can use them, and one message needs no more.
    """
    question = random.choice((drawn.matching, drawn.systolic, drawn.line))(random, 6)
    if question.model != "line":
        question = question._replace(model="telegraph")
    elif question.task == "gossip":
        question = question._replace(task="broadcast")
    edges = tuple({(min(e), max(e)) for e in question.links})
    arcs = tuple(sorted({*edges, *((v, u) for u, v in edges)}))
    plain, both = question._replace(links=edges, directed=False), question._replace(links=arcs, directed=True)
    return no_more(both, plain) if question.model == "line" else as_much(plain, both)


def reversed_task(random: Random) -> Pair:
    """An accumulation is a broadcast run backwards, with its arcs turned round; a product takes no less than
    a broadcast.
    """
    if random.random() < 0.1:
        question = drawn.fat_tree(random)._replace(task="product").having(source=None)
        root = question.options.get("root", 0)
        return no_more(question._replace(task="broadcast").having(root=None, source=root), question)
    question = random.choice((drawn.matching, drawn.systolic, drawn.line))(random, 6)
    node = random.choice((random.randrange(question.nodes), "min", "max"))
    if question.options.get("period") == "min" and node == "max":
        node = "min"
    plain = question.having(source=None, root=None, targets=None, edge_colouring=None)
    turned = tuple((v, u) for u, v in question.links) if question.directed else question.links
    return as_much(
        plain._replace(task="accumulation").having(root=node),
        plain._replace(task="broadcast", links=turned).having(source=node),
    )


def periods(random: Random) -> Pair | None:
    """A multiple of a period never hurts, nor does no period, nor no colouring; a period as long as the
    schedule has the optimum.
    """
    question = drawn.systolic(random, 6).having(rounds=None)
    period = random.randint(1, 4)
    given, plain = question.having(period=period), question.having(edge_colouring=None)
    kind = random.randrange(4)
    if kind == 0:
        once = plain.having(period=period)
        return no_more(plain.having(period=period * random.randint(2, 3)), once)
    free = plain.having(period=None)
    if kind == 1:
        return no_more(free, given)
    if kind == 2:
        return (
            no_more(given.having(edge_colouring=None), given) if "edge_colouring" in given.options else None
        )
    rounds = claimed(free).most
    return None if rounds == inf else as_much(free, plain.having(period=max(1, int(rounds))))


def sources_and_targets(random: Random) -> Pair | None:
    """The best node takes no more than any, any no more than the worst; one more source, and one target less,
    never hurt; a gossip takes no less than a broadcast or an accumulation.
    """
    question = random.choice((drawn.matching, drawn.systolic, drawn.line))(random, 6)
    question = question.having(source=None, root=None, targets=None, rounds=None, edge_colouring=None)
    if question.options.get("period") == "min":
        question = question.having(period=3)
    n = question.nodes
    node, kind = random.randrange(n), random.randrange(5)
    task, name = random.choice((("broadcast", "source"), ("accumulation", "root")))
    of_node = question._replace(task=task).having(**{name: node})
    if kind == 0:
        return no_more(of_node, of_node.having(**{name: "max"}))
    if kind == 1:
        best = of_node.having(**{name: "min"})
        return no_more(best, of_node) if claimed(best).least < inf else None
    if kind == 2:
        line_of_arcs = question.model == "line" and question.directed
        return None if line_of_arcs else no_more(of_node, question._replace(task="gossip"))
    targets = random.sample(range(n), random.randint(1, n))
    several = question._replace(task="multicast").having(source=[node], targets=targets)
    if kind == 3 and len(targets) > 1:
        return no_more(several.having(targets=targets[:-1]), several)
    others = [v for v in range(n) if v != node]
    return no_more(several.having(source=[node, random.choice(others)]), several) if others else None


def between_models(random: Random) -> Pair | None:
    """Two-way calls take no more than one-way ones, and as much for one message; long calls with one port no
    more than short ones; packets as many rounds as the message.
    """
    question = random.choice((drawn.matching, drawn.systolic))(random, 6)
    kind = random.randrange(3)
    if kind == 0:
        question = drawn.matching(random, 6)
        long = question._replace(model="line").having(ports=1)
        refused = question.directed and question.task == "gossip"
        return None if refused else no_more(long, question._replace(model="telegraph"))
    edges = tuple({(min(e), max(e)) for e in question.links})
    one_way = question._replace(model="telegraph", links=edges, directed=False)
    two_way = one_way._replace(model="telephone")
    if kind == 1:
        return no_more(two_way, one_way) if question.task == "gossip" else as_much(two_way, one_way)
    rounds = random.randint(1, 4)
    calls = two_way._replace(task="broadcast", options={"source": 0})
    packets = calls._replace(model="linear-cost").having(total_rounds=rounds, ports=1)
    cost = claimed(packets)
    if cost.least < inf and cost.most == inf:
        return None
    feasible = Claimed(Fraction(0), Fraction(rounds)) if cost.most < inf else Claimed(rounds + 1, inf)
    return Pair(claimed(calls), "as much as", feasible, f"{calls}, and {packets}")


def between_timings(random: Random) -> Pair:
    """The clock takes no more than rounds; a prefix no less than the product at its last processor."""
    question = drawn.fat_tree(random, 4)
    if random.random() < 0.5:
        return no_more(question.having(timing="clock"), question.having(timing="rounds"))
    prefix = question._replace(task="prefix").having(source=None, root=None)
    last = (question.nodes + 1) // 2 - 1
    return no_more(prefix._replace(task="product").having(root=last), prefix)


def messages(random: Random) -> Pair:
    """A pattern is its messages; with one message more nothing is delivered sooner."""
    question = drawn.routing(random).having(rounds=None)
    if "messages" not in question.options:
        listed = question.problem().parameters["messages"]
        return as_much(question, question.having(pattern=None, messages=listed))
    return no_more(question.having(messages=question.options["messages"][:-1]), question)


def best_rounds(random: Random) -> Pair:
    """With prices the best number of rounds is no worse than a given one."""
    alpha, tau = Fraction(random.randint(1, 4)), Fraction(random.randint(1, 4))
    rounds = random.randint(1, 4)
    given = without_prices(drawn.linear_cost(random, 4), rounds)
    priced = given.having(total_rounds=None, alpha=str(alpha), tau=str(tau))
    best, cost = claimed(priced), claimed(given)
    time = Claimed(alpha + tau * cost.least, alpha * rounds + tau * cost.most)
    return Pair(best, "no more than", time, f"{priced}, and {given}")


RELATIONS: tuple[Relation, ...] = (
    relabelled, turned_tree, one_more_round, one_more_port, one_more_link, wider_channels, backends,
    symmetric_digraph, reversed_task, periods, sources_and_targets, between_models, between_timings,
    messages, best_rounds,
)  # fmt: skip


def try_relation(random: Random) -> tuple[str, str]:
    """Draw two questions that are related: what came of it, and a finding, "" when there is none."""
    relation, pair = random.choice(RELATIONS), None
    while pair is None:
        pair = relation(random)
    if pair.broken:
        said = f"{pair.named}: {pair.one} should be {pair.relation} {pair.other}"
        return "disagreement", f"{relation.__name__}: {said}"
    exact = pair.one.least == pair.one.most and pair.other.least == pair.other.most
    return ("agreed" if exact else "within the bounds"), ""
