"""What is true of a question, by brute force; None where it is too large for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import floor, log2, prod, sqrt
from typing import Any, NamedTuple

import networkx as nx

from tests.reference import (
    brute_force,
    fat_tree_brute_force,
    fat_tree_clock_search,
    line_brute_force,
    linear_cost_brute_force,
    routing_reference,
    systolic_brute_force,
)
from tests.soak.questions import Question

Least = int | Fraction | None
"""The least value; None when there is no schedule at all."""
State = tuple[int, ...]


class TooLargeError(Exception):
    """A question takes a brute force too long."""


class Truth(NamedTuple):
    """The least value, None when there is no schedule at all, and with `--period min` the least period."""

    least: Least
    period: int | None = None


def truth(question: Question) -> Truth | None:
    """What is true, a number of rounds to decide left aside; None when it takes a brute force too long."""
    asked = question.having(rounds=None)
    return _truth(asked._replace(options=_Frozen(asked.options)))


class _Frozen(dict[str, Any]):
    """Options that are not changed any more."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(repr(sorted(self.items())))


@cache
def _truth(question: Question) -> Truth | None:
    oracle = ORACLES.get(question.model)
    try:
        return None if oracle is None else oracle(question)
    except TooLargeError:
        return None


def at_most(limit: float, size: float) -> None:
    """Raise TooLargeError when a size is beyond its limit."""
    if size > limit:
        raise TooLargeError


def graph_of(question: Question) -> nx.Graph:
    """The network."""
    graph = nx.DiGraph() if question.directed else nx.Graph()
    graph.add_nodes_from(range(question.nodes))
    graph.add_edges_from(question.links)
    return graph


def ends(question: Question) -> list[int]:
    """The sources, or the root."""
    given = question.options.get("root" if question.task == "accumulation" else "source", 0)
    return list(given) if isinstance(given, list | tuple) else [given]


def chosen(question: Question, one: Callable[[Question], Least]) -> Least:
    """The value, of the best or of the worst node where that is asked for, in a network in which every node
    reaches every other.
    """
    name = "root" if question.task == "accumulation" else "source"
    choice = question.options.get(name)
    if choice not in ("min", "max"):
        return one(question)
    graph = graph_of(question)
    if not (nx.is_strongly_connected(graph) if question.directed else nx.is_connected(graph)):
        return None
    values = [one(question.having(**{name: v})) for v in range(question.nodes)]
    known = [value for value in values if value is not None]
    if len(known) < len(values) and (choice == "max" or not known):
        return None
    return min(known) if choice == "min" else max(known)


def start_and_goal(question: Question) -> tuple[State, State]:
    """Who holds which items at first, and who must hold which in the end, as bit masks."""
    n, everything = question.nodes, (1 << question.nodes) - 1
    if question.task in ("broadcast", "multicast"):
        targets = question.options["targets"] if question.task == "multicast" else range(n)
        sources = ends(question)
        return tuple(int(v in sources) for v in range(n)), tuple(int(v in targets) for v in range(n))
    knowing = range(n) if question.task == "gossip" else ends(question)
    return tuple(1 << v for v in range(n)), tuple(everything * (v in knowing) for v in range(n))


def is_message(question: Question) -> bool:
    """Whether one message is to be spread; else there is one item for every node."""
    return question.task in ("broadcast", "multicast")


def matching_truth(question: Question) -> Truth:
    """Telegraph and telephone, with a period and without."""
    if "period" in question.options:
        return systolic_truth(question)
    return Truth(chosen(question, _matching_rounds))


def _matching_rounds(question: Question) -> int | None:
    n, graph = question.nodes, graph_of(question)
    if is_message(question):
        at_most(8, n)
        at_most(16, len(question.links))
    else:
        at_most(6, n)
        at_most(10 if n < 6 else 6, len(question.links) / (2 if question.directed else 1))
    start, goal = start_and_goal(question)
    arcs = brute_force.arcs_of(graph)
    return brute_force.least_rounds(n, arcs, question.model == "telephone", start, [goal])[0]


def systolic_truth(question: Question) -> Truth:
    """Telegraph and telephone with a period: the least number of rounds, or the least period of the optimum
    without one.
    """
    period = question.options["period"]
    if period != "min":
        return Truth(chosen(question, _systolic_rounds))
    least = chosen(question.having(period=None), _matching_rounds)
    if least is None:
        return Truth(None)
    reached = (p for p in range(1, int(least) + 1) if _reaches(question.having(period=p), least))
    return Truth(least, next(reached, 1))


def _reaches(question: Question, least: Least) -> bool:
    return chosen(question, _systolic_rounds) == least


def _systolic_rounds(question: Question) -> int | None:
    at_most(5, question.nodes)
    at_most(6 if question.nodes == 5 else 12, len(question.links))
    graph, period, two_way = graph_of(question), question.options["period"], question.model == "telephone"
    if question.task == "gossip":
        colouring = bool(question.options.get("edge_colouring"))
        return systolic_brute_force.systolic_gossip_rounds(graph, two_way, period, edge_colouring=colouring)
    if question.task == "accumulation":
        root = ends(question)[0]
        return systolic_brute_force.systolic_accumulation_rounds(graph, two_way, period, root)
    targets = question.options["targets"] if question.task == "multicast" else range(question.nodes)
    return systolic_brute_force.systolic_multicast_rounds(graph, two_way, period, ends(question), targets)


def line_truth(question: Question) -> Truth:
    """Long-distance calls."""
    return Truth(chosen(question, _line_rounds))


def _line_rounds(question: Question) -> int | None:
    at_most(5, question.nodes)
    at_most(9 if question.nodes == 5 else 12, len(question.links))
    ports = question.options.get("ports", "all")
    start, goal = start_and_goal(question)
    number = None if ports == "all" else ports
    return line_brute_force.least_rounds(graph_of(question), number, start, [goal])[0]


def linear_cost_truth(question: Question) -> Truth:
    """Costs, or times where prices are given."""
    options, n = question.options, question.nodes
    links = tuple(sorted((min(link), max(link)) for link in question.links))
    source, weak = options.get("source", 0), bool(options.get("weak_ports"))
    ports = min(options.get("ports", 1), max(1, n - 1))
    at_most(6, n)
    if "alpha" in options:
        alpha, tau = (Fraction(str(options[name])) for name in ("alpha", "tau"))
        tau *= Fraction(str(options.get("length", 1)))
        most = _most_rounds(n, links, source, ports, weak)
        found = linear_cost_brute_force.least_time(n, links, source, ports, alpha, tau, most=most, weak=weak)
        if found is None:
            raise TooLargeError
        return Truth(found[0])
    rounds = _rounds_in_all(question, links)
    if rounds is None:
        return Truth(None)
    at_most(_most_rounds(n, links, source, ports, weak), rounds)
    return Truth(linear_cost_brute_force.least_cost(n, links, source, ports, rounds, weak=weak))


def _rounds_in_all(question: Question, links: linear_cost_brute_force.Links) -> int | None:
    options, n = question.options, question.nodes
    if "total_rounds" in options:
        return int(options["total_rounds"])
    ports = min(options.get("ports", 1), max(1, n - 1))
    least = linear_cost_brute_force.least_rounds(n, links, options.get("source", 0), ports)
    return None if least is None else least + int(options.get("extra_rounds", 0))


def cost_of_packets(question: Question, packets: int) -> Least:
    """The least cost of a broadcast of so many packets: where the rounds are given, or else with prices.

    Raises TooLargeError for what takes too long, or what more rounds than are tried might improve.
    """
    options, n = question.options, question.nodes
    links = tuple(sorted((min(link), max(link)) for link in question.links))
    at_most(4, n)
    ports, weak = min(options.get("ports", 1), max(1, n - 1)), bool(options.get("weak_ports"))

    def in_rounds(rounds: int) -> Least:
        return linear_cost_brute_force.least_cost_of_packets(
            n, links, options.get("source", 0), ports, rounds, packets, weak=weak
        )

    if "alpha" not in options:
        rounds = _rounds_in_all(question, links) or 0
        at_most(4, rounds)
        return in_rounds(rounds)
    alpha, tau, length = (Fraction(str(options.get(name, 1))) for name in ("alpha", "tau", "length"))
    costs = {rounds: in_rounds(rounds) for rounds in range(5)}
    times = [rounds * alpha + length * tau * cost for rounds, cost in costs.items() if cost is not None]
    if not times or min(times) > len(costs) * alpha:
        raise TooLargeError
    return min(times)


MOST_WAYS, MOST_WORK = 1_000, 100_000
"""Ways of a packet, and ways times sequences of call graphs, up to which all are tried: some seconds."""


def _most_rounds(n: int, links: linear_cost_brute_force.Links, source: int, ports: int, weak: bool) -> int:
    """In how many rounds all sequences of call graphs can be tried."""
    at_most(12, len(links) * (2 if weak else 1))
    sets, rounds = len(linear_cost_brute_force.call_graphs(n, links, ports, weak)), 0
    degrees = [min(ports, sum(v in link for link in links)) for v in range(n) if v != source]
    while rounds < 8:
        ways = prod(max(1, degree * (rounds + 1)) for degree in degrees)
        if ways > MOST_WAYS or ways * sets ** (rounds + 1) > MOST_WORK:
            break
        rounds += 1
    return rounds


def fat_tree_truth(question: Question) -> Truth:
    """Broadcasts on up to eight processors, products and prefixes on four."""
    n, options = (question.nodes + 1) // 2, question.options
    at_most(8 if question.task == "broadcast" else 4, n)
    table = options.get("capacity_table")
    shape = SHAPES[options.get("capacity", "const")]
    widths = list(table) if table is not None else [shape(1 << j) for j in range(n.bit_length())]
    # A channel of a subtree of k processors carries at most k messages in a step in any case.
    widths = [min(width, 1 << j) for j, width in enumerate(widths[: n.bit_length() - 1])] + [n]
    in_rounds = options.get("timing", "clock") == "rounds"
    if question.task == "broadcast":
        search = fat_tree_brute_force.round_optimum if in_rounds else fat_tree_clock_search.clock_optimum
        return Truth(search(n, tuple(widths), options.get("source", 0)))
    wanted = {p: (0, p) for p in range(n)}
    if question.task == "product":
        wanted = {options.get("root", 0): (0, n - 1)}
    return Truth(_associative(n, tuple(widths), tuple(wanted.items()), in_rounds))


@cache
def _associative(
    n: int, widths: tuple[int, ...], wanted: tuple[tuple[int, tuple[int, int]], ...], in_rounds: bool
) -> int:
    if in_rounds:
        return fat_tree_brute_force.associative_round_optimum(n, widths, dict(wanted))
    return fat_tree_clock_search.associative_clock_optimum(n, widths, dict(wanted))


def _root(n: int, numerator: int, denominator: int) -> int:
    """The greatest k with k^denominator <= n^numerator."""
    return max(k for k in range(1, n + 1) if k**denominator <= n**numerator)


SHAPES: Mapping[str, Callable[[int], int]] = {
    "const": lambda n: 1,
    "log": lambda n: n.bit_length(),
    "sqrt": lambda n: _root(n, 1, 2),
    "two-thirds": lambda n: _root(n, 2, 3),
    "linear": lambda n: n,
    "two-to-root-log": lambda n: floor(2 ** sqrt(log2(n))),
    "loglog-root": lambda n: max(floor(k ** (1 / max(1.0, log2(log2(k))))) for k in _powers(n)),
}
"""The capacities by name, for the small n here."""


def _powers(n: int) -> list[int]:
    return [1 << j for j in range(1, n.bit_length())] or [2]


def routing_truth(question: Question) -> Truth:
    """Messages through routers."""
    n = (question.nodes + 1) // 2
    messages = question.options.get("messages")
    if not isinstance(messages, list):
        pattern = str(question.options.get("pattern", "random"))
        if pattern.startswith("random") or messages is not None:
            raise TooLargeError  # what is drawn is for the package to say
        messages = routing_reference.pattern_messages(pattern, n)
    at_most(16, n)
    at_most(8, len(messages))
    return Truth(routing_reference.least_rounds(n, [(u, v) for u, v in messages]))


ORACLES: dict[str, Callable[[Question], Truth]] = {
    "telegraph": matching_truth,
    "telephone": matching_truth,
    "line": line_truth,
    "linear-cost": linear_cost_truth,
    "fat-tree": fat_tree_truth,
    "routing": routing_truth,
}
