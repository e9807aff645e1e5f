"""Random small questions over all that the round models take: every task and option, and networks of every
kind: trees, cycles, complete and other graphs, digraphs strongly connected or not, disconnected ones, one
node and two.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from tests.soak.questions import Question
from tests.soak.truths import SHAPES

Drawn = tuple[int, tuple[tuple[int, int], ...], bool]
"""How many nodes, the links, and whether these are arcs."""


def network(random: Random, most: int, *, arcs: bool = True) -> Drawn:
    """A network of 1 to so many nodes, one in twelve of them disconnected; arcs: perhaps directed."""
    n = random.choice((*range(1, most + 1), *range(3, most + 1), most))
    kind = random.randrange(6)
    links = {(random.randrange(v), v) for v in range(1, n)}
    if kind == 0 and n > 2:
        links = {(v - 1, v) for v in range(1, n)} | {(0, n - 1)}
    elif kind == 1:
        links = {(u, v) for v in range(n) for u in range(v) if random.random() < 0.8} | links
    elif kind < 5:
        links |= {(u, v) for v in range(n) for u in range(v) if random.random() < 0.2}
    if links and random.random() < 1 / 12:
        lost = random.randrange(n)
        links = {link for link in links if lost not in link}
    directed = arcs and random.random() < 0.25
    if directed:
        links = {random.choice((link, link[::-1])) for link in links}
        back = random.choice((0.2, 0.7, 1.0))
        links |= {(v, u) for u, v in links if random.random() < back}
    image = random.sample(range(n), n)
    moved = [(image[u], image[v]) for u, v in links]
    return n, tuple(sorted(moved if directed else [(min(e), max(e)) for e in moved])), directed


def node_options(random: Random, task: str, n: int) -> dict[str, Any]:
    """The source or sources, the root, the targets; the best or the worst node, or the default."""
    node = random.randrange(n)
    if task == "gossip":
        return {}
    if task == "accumulation":
        return random.choice(({}, {"root": node}, {"root": node}, {"root": "min"}, {"root": "max"}))
    several = sorted(random.sample(range(n), random.randint(1, min(n, 3))))
    if task == "multicast":
        targets = sorted(random.sample(range(n), random.randint(1, n)))
        return {"source": random.choice((node, several)), "targets": targets}
    return random.choice(
        ({}, {"source": node}, {"source": node}, {"source": several}, {"source": "min"}, {"source": "max"})
    )


TASKS = ("broadcast", "multicast", "accumulation", "gossip")


def matching(random: Random, most: int = 5) -> Question:
    """Telegraph or telephone."""
    model, task = random.choice(("telegraph", "telephone")), random.choice(TASKS)
    n, links, directed = network(random, most, arcs=model == "telegraph")
    options = node_options(random, task, n)
    if random.random() < 0.25:
        options["rounds"] = random.randrange(2 * n)
    return Question(model, task, n, links, directed, options)


def systolic(random: Random, most: int = 5) -> Question:
    """Telegraph or telephone with a period, or for the least period."""
    plain = matching(random, most)
    period = random.choice((1, 2, 2, 3, 3, 4, 5, 6, "min"))
    options = {**plain.options, "period": period}
    if plain.task == "gossip" and period != "min" and random.random() < 0.4:
        options["edge_colouring"] = True
    if period == "min":
        options.pop("rounds", None)
        name = "root" if plain.task == "accumulation" else "source"
        if options.get(name) == "max":
            options[name] = "min"
    return plain._replace(options=options)


def line(random: Random, most: int = 5) -> Question:
    """Long-distance calls."""
    task = random.choice(TASKS)
    n, links, directed = network(random, most, arcs=task != "gossip")
    options = {**node_options(random, task, n), "ports": random.choice(("all", 1, 2, 3))}
    if random.random() < 0.25:
        options["rounds"] = random.randrange(n + 1)
    return Question("line", task, n, links, directed, options)


def linear_cost(random: Random, most: int = 5) -> Question:
    """Broadcasts in packets."""
    n, links, _ = network(random, most, arcs=False)
    options: dict[str, Any] = random.choice(({}, {"source": random.randrange(n)}))
    options["ports"] = random.choice((1, 1, 2, 3))
    if random.random() < 0.3:
        options["weak_ports"] = True
    kind = random.randrange(3)
    if kind == 0:
        options["extra_rounds"] = random.randrange(3)
    elif kind == 1:
        options["total_rounds"] = random.randrange(6)
    else:
        options["alpha"] = str(Fraction(random.randint(1, 6), random.randint(1, 3)))
        options["tau"] = str(Fraction(random.randint(0, 6), random.randint(1, 3)))
        if random.random() < 0.5:
            options["length"] = str(Fraction(random.randint(0, 4), random.randint(1, 2)))
    return Question("linear-cost", "broadcast", n, links, False, options)


def _fat_tree_links(n: int) -> tuple[tuple[int, int], ...]:
    return tuple((v, n + v // 2) for v in range(2 * n - 2))


def capacity_table(random: Random, n: int) -> list[int]:
    """Capacities of random growth, perhaps without that of the whole tree."""
    table = [random.choice((1, 1, 2))]
    while len(table) < n.bit_length():
        table.append(random.randint(table[-1], 2 * table[-1]))
    return table if random.random() < 0.5 else table[:-1]


def fat_tree(random: Random, most: int = 8) -> Question:
    """Broadcasts, products and prefixes."""
    task = random.choice(("broadcast", "broadcast", "product", "prefix"))
    n = random.choice([k for k in (2, 4, 8, 16) if k <= (most if task == "broadcast" else 4)])
    options: dict[str, Any] = {"timing": random.choice(("clock", "rounds"))}
    if random.random() < 0.5:
        options["capacity"] = random.choice(sorted(SHAPES))
    else:
        options["capacity_table"] = capacity_table(random, n)
    if task != "prefix" and random.random() < 0.8:
        options["root" if task == "product" else "source"] = random.randrange(n)
    return Question("fat-tree", task, 2 * n - 1, _fat_tree_links(n), False, options)


def routing(random: Random, most: int = 8) -> Question:
    """Messages through the routers, of a pattern or in a list."""
    n = random.choice([k for k in (2, 4, 8, 16) if k <= most])
    patterns = [f"shift:{random.randrange(1, n)}", "bit-reversal", "all-to-one"]
    options: dict[str, Any] = {"pattern": random.choice(patterns + ["transpose"] * (n == 4))}
    if random.random() < 0.7:
        count = random.randint(0, 5)
        options = {"messages": [list(random.sample(range(n), 2)) for _ in range(count)]}
    if random.random() < 0.3:
        options["rounds"] = random.randrange(4)
    return Question("routing", "deliver", 2 * n - 1, _fat_tree_links(n), False, options)


MODELS: dict[str, Callable[..., Question]] = {
    "matching": matching,
    "systolic": systolic,
    "line": line,
    "linear-cost": linear_cost,
    "fat-tree": fat_tree,
    "routing": routing,
}
