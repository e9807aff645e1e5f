"""The algorithms of the systolic models by name: the problems that each accepts, and its schedules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.models.matching.constructions.algorithms import ALGORITHMS as MATCHING_ALGORITHMS
from schedsolve.models.matching.constructions.algorithms import GOSSIP, ONE_MESSAGE, Pairs, promising_nodes
from schedsolve.models.matching.constructions.broadcast_search import search_broadcast
from schedsolve.models.matching.constructions.trees import tree_broadcast
from schedsolve.models.matching.rules import is_two_way
from schedsolve.network.graph import Network
from schedsolve.network.named.trees import is_path, path_order
from schedsolve.runtime.errors import InputError, counted

from ..claims.complete_trees import complete_tree
from ..claims.formula import horizon, without_period
from ..claims.path_theorem import is_one_way_path, least_path_rounds
from ..claims.paths import sweep_of
from ..patterns import period_calls
from ..rules import is_edge_colouring, period_of, replay, run_until_complete
from .broadcast import Calls, accumulation_and_broadcast, compacted, folded, most_calls
from .complete_trees import TREE_SCHEMES, TreeScheme
from .paths import best_crossings, one_way_path, two_way_path
from .stars import refuse_star, star_turns
from .tree_types import scheme_calls, types_for
from .tree_values import root_choices, tree_calls, worth_building

MOST_STEPS = 2_000_000
"""The most rounds times nodes for which an algorithm without a period is tried with the period."""


def repeated(problem: Problem, slots: Pairs) -> Schedule:
    """Return one period, given as pairs (sender, receiver), repeated until the task is complete.

    Raises
    ------
    InputError
        If it never is.
    """
    one_period = Schedule.two_way(slots) if is_two_way(problem) else Schedule.one_way(slots)
    schedule = run_until_complete(problem, one_period, horizon(problem))
    if schedule is None:
        raise InputError("the calls of its period do not complete the task")
    return schedule


def _tiled(problem: Problem, slots: Pairs) -> Pairs:
    """Return the slots, repeated to fill the period, which must be a multiple of their number."""
    return [slots[t % len(slots)] for t in range(min(period_of(problem), horizon(problem)))]


def systolic_broadcast(problem: Problem, schedule: Schedule) -> Schedule:
    """Return a schedule of one message without a period made systolic in as many rounds.

    This is Lemma 2.4; for an accumulation Lemma 2.5.

    Raises
    ------
    InputError
        If a node of its tree of calls has more calls than the period has slots.
    """
    period = period_of(problem)
    backwards = problem.task == "accumulation"
    calls = [
        [call[:2] for call in calls] for calls in (schedule.reversed() if backwards else schedule).rounds
    ]
    if is_two_way(problem):
        calls = [[pair for u, v in pairs for pair in ((u, v), (v, u))] for pairs in calls]
    compact = compacted(calls, problem.sources)
    degree = most_calls(compact)
    if degree > period:
        raise InputError(
            f"its tree of calls has a node with {degree} calls, more than the {period} slots of the period"
        )
    slots = folded(compact, min(period, max(1, len(compact))))
    rounds = [slots[t % len(slots)] for t in range(len(compact))]
    found = Schedule.two_way(rounds) if is_two_way(problem) else Schedule.one_way(rounds)
    if backwards:
        found = found.reversed()
    return Schedule(found.rounds, period)


def _lifted(algorithm: Algorithm) -> Algorithm:
    """Return an algorithm of the model without a period as one of the model with a period.

    For one message its schedule is made systolic; for gossip it is used only if it already has the
    period.
    """

    def refuse(problem: Problem) -> str | None:
        return algorithm.refuse(without_period(problem))

    def build(problem: Problem, effort: Effort) -> Schedule:
        if problem.task == "gossip":
            _refuse_to_look(problem, algorithm, effort.goal)
        schedule = algorithm.build(without_period(problem), effort).without_empty_end()
        if problem.task != "gossip":
            return systolic_broadcast(problem, schedule)
        schedule = Schedule(schedule.rounds, period_of(problem))
        if replay(problem, schedule).violation:
            raise InputError(f"its {counted(len(schedule.rounds), 'round')} do not repeat with this period")
        return schedule

    made = (
        ", made systolic by Lemma 2.4 or 2.5"
        if algorithm.tasks == ONE_MESSAGE
        else ", where its rounds repeat with the period"
    )
    return replace(algorithm, source=algorithm.source + made, refuse=refuse, build=build)


def _refuse_to_look(problem: Problem, algorithm: Algorithm, least_rounds: int) -> None:
    """Refuse a gossip that is unlikely to repeat with the period or takes too long to build.

    `least_rounds` is a lower bound on its rounds without a period.
    """
    if algorithm.thorough and least_rounds > period_of(problem):
        raise InputError(
            f"it takes {counted(least_rounds, 'round')} or more, and what it finds does not repeat"
        )
    if least_rounds * problem.network.node_count > MOST_STEPS:
        raise InputError("the network is too large to look whether its rounds repeat with this period")


def _short_broadcast(network: Network, source: int, effort: Effort) -> list[Calls]:
    """Return a broadcast to all nodes, compacted."""
    everybody = range(network.node_count)
    if network.is_tree:
        rounds: Pairs = tree_broadcast(network, source, everybody)
    else:
        short = Effort(effort.seed, min(0.3, effort.seconds), effort.goal // 4)
        rounds = search_broadcast(network, [source], everybody, short)
    return compacted(rounds, [source])


def _accumulation_and_broadcast(problem: Problem, effort: Effort, *, late_start: bool) -> Schedule:
    if problem.network.node_count == 1:
        return Schedule((), period_of(problem))
    block = period_of(problem) // 2
    network = problem.network
    built = []
    for node in promising_nodes(problem):
        outward = _short_broadcast(network, node, effort)
        inward = _short_broadcast(network.reversed(), node, effort) if network.directed else outward
        built.append((inward, outward))
    fitting = [both for both in built if max(map(most_calls, both)) <= block]
    if not fitting:
        degree = min(max(map(most_calls, both)) for both in built)
        raise InputError(
            f"its tree of calls has a node with {degree} calls, more than the {block} slots of half the"
            " period"
        )
    inward, outward = min(fitting, key=lambda both: len(both[0]) + len(both[1]))
    half = min(block, max(len(inward), len(outward)))
    return repeated(problem, accumulation_and_broadcast(inward, outward, half, late_start=late_start))


def _uses_each_edge_once(problem: Problem) -> str | None:
    once = is_edge_colouring(problem) and problem.network.edges
    return "every edge is used twice in its period" if once else None


def _on_path(problem: Problem, slots: Sequence[Sequence[tuple[int, int]]]) -> Schedule:
    """Return the slots of a period on the path 0, 1, ..., renamed to the network's nodes and repeated."""
    order = path_order(problem.network)
    return repeated(problem, [[(order[u], order[v]) for u, v in calls] for calls in slots])


def _not_a_two_way_path(problem: Problem) -> str | None:
    if not is_path(problem.network) or not is_two_way(problem):
        return "it is for telephone calls on a path"
    return None if period_of(problem) % 2 == 0 else "it repeats every 2 rounds, so the period must be even"


def _not_a_one_way_path(problem: Problem) -> str | None:
    if not is_path(problem.network) or is_two_way(problem) or is_edge_colouring(problem):
        return "it is for telegraph calls on a path, without edge colouring"
    return None if period_of(problem) >= 4 else "it takes a period of 4 or more"


def _blocks(problem: Problem, _: Effort) -> Schedule:
    if problem.network.node_count == 1:
        return Schedule((), period_of(problem))
    # A period longer than twice the path gives one block, however long it is.
    n = problem.network.node_count
    return _on_path(problem, one_way_path(n, min(period_of(problem), 2 * n + 4)))


def _no_best_path(problem: Problem) -> str | None:
    if not is_one_way_path(problem):
        return "it is for telegraph gossip on a path of two nodes or more, without edge colouring"
    if least_path_rounds(problem.network.node_count, period_of(problem)) is None:
        return "no number of rounds suffices with this period"
    return None


def _best_path(problem: Problem, _: Effort) -> Schedule:
    """Return the schedule whose calls are at the best crossings.

    Equal slots are the same object, so that long paths fit into memory.
    """
    n, period = problem.network.node_count, period_of(problem)
    rounds = least_path_rounds(n, period)
    assert rounds is not None
    order = path_order(problem.network)
    slots: list[list[Call]] = [[] for _ in range(min(period, rounds))]
    for edge, (there, back) in enumerate(best_crossings(n, period)):
        u, v = order[edge], order[edge + 1]
        slots[(there - 1) % period].append(Call(u, v))
        slots[(back - 1) % period].append(Call(v, u))
    made = [tuple(calls) for calls in slots]
    return Schedule(tuple(made[t % period] for t in range(rounds)), period)


def _no_program(problem: Problem) -> str | None:
    sweep = sweep_of(problem)
    if sweep is None:
        return "it is for gossip on a path of two nodes or more with a period of at most 24"
    if sweep.least_rounds(problem.network.node_count) is None:
        return "no number of rounds suffices with this period"
    return None


def _program(problem: Problem, _: Effort) -> Schedule:
    sweep = sweep_of(problem)
    assert sweep is not None
    crossings = sweep.crossings(problem.network.node_count)
    slots: list[Calls] = [[] for _ in range(sweep.period)]
    for edge, (there, back) in enumerate(crossings):
        for call, t in (((edge, edge + 1), there), ((edge + 1, edge), back)):
            if not is_two_way(problem) or call not in (pair[::-1] for pair in slots[(t - 1) % sweep.period]):
                slots[(t - 1) % sweep.period].append(call)
    return _on_path(problem, slots)


def _scheme(scheme: TreeScheme) -> Algorithm:
    def refuse(problem: Problem) -> str | None:
        tree = complete_tree(problem.network)
        if tree is None or is_two_way(problem) != scheme.two_way:
            return (
                f"it is for {'telephone' if scheme.two_way else 'telegraph'} calls on a complete tree of"
                " arity 2 or more"
            )
        if not scheme.applies(tree.arity, tree.height):
            return f"it is not for arity {tree.arity} and height {tree.height}"
        if is_edge_colouring(problem) and tree.height:
            return "its period uses edges more than once"
        period = scheme.period(tree.arity)
        return (
            None
            if period_of(problem) % period == 0
            else f"it repeats every {period} rounds, so the period must be a multiple of that"
        )

    def build(problem: Problem, _: Effort) -> Schedule:
        tree = complete_tree(problem.network)
        assert tree is not None
        order = [tree.root]
        for v in order:
            order += tree.children[v]
        place = {v: number for number, v in enumerate(order)}
        children = [[place[w] for w in tree.children[v]] for v in order]
        slots = period_calls(scheme.patterns(tree.arity, tree.height), children)
        return repeated(
            problem, _tiled(problem, [[(order[u], order[v]) for u, v in calls] for calls in slots])
        )

    name, source = scheme.source.lower().replace(" ", "-"), f"Hromkovic et al. (1994), {scheme.source}"
    return Algorithm(name, f"{scheme.claim}; {source}", GOSSIP, refuse, build)


def _no_types(problem: Problem) -> str | None:
    tree = complete_tree(problem.network)
    if tree is None or tree.height == 0:
        return "it is for a complete tree of arity 2 or more and height 1 or more"
    if is_edge_colouring(problem):
        return "its period uses edges more than once"
    if types_for(tree.arity, is_two_way(problem), period_of(problem)) is None:
        return "there are no types known that serve for every height with this period"
    return None


def _types(problem: Problem, _: Effort) -> Schedule:
    tree = complete_tree(problem.network)
    assert tree is not None
    types = types_for(tree.arity, is_two_way(problem), period_of(problem))
    assert types is not None
    return _in_tree(problem, scheme_calls(tree, types))


def _in_tree(problem: Problem, slots: Pairs) -> Schedule:
    """Return the slots repeated; two-way each call once, however often it is listed."""
    if is_two_way(problem):
        slots = [list({(min(pair), max(pair)): None for pair in calls}) for calls in slots]
    return repeated(problem, _tiled(problem, slots))


def _star(problem: Problem, _: Effort) -> Schedule:
    turns = star_turns(problem.network.edges, period_of(problem), once=is_edge_colouring(problem))
    return repeated(problem, [[edge] for edge in turns])


def _no_recursion(problem: Problem) -> str | None:
    tree, period = complete_tree(problem.network), period_of(problem)
    if tree is None or is_edge_colouring(problem) or not worth_building(tree, period):
        return "it is for complete trees of height 1 or more and short periods, without edge colouring"
    if not root_choices(tree.arity, tree.height, is_two_way(problem), period):
        return "no number of rounds suffices with this period"
    return None


def _recursion(problem: Problem, _: Effort) -> Schedule:
    tree = complete_tree(problem.network)
    assert tree is not None
    return _in_tree(problem, tree_calls(tree, is_two_way(problem), period_of(problem)))


ALGORITHMS = (
    Algorithm(
        "path-crossings",
        "optimal on paths one-way: the ends' items cross the multiples of the period without delay"
        " (docs/theorems.md, Theorem 1)",
        GOSSIP,
        _no_best_path,
        _best_path,
    ),
    Algorithm(
        "path-program",
        "optimal on paths: dynamic program over the edges",
        GOSSIP,
        _no_program,
        _program,
    ),
    Algorithm(
        "theorem-3.1",
        "path of n nodes two-way with period 2, n - 1 or n rounds, optimal; Hromkovic et al. (1994),"
        " Theorem 3.1",
        GOSSIP,
        _not_a_two_way_path,
        lambda problem, _: _on_path(problem, _tiled(problem, two_way_path(problem.network.node_count))),
    ),
    Algorithm(
        "theorem-3.2",
        "path one-way with period k >= 4; Hromkovic et al. (1994), Theorem 3.2",
        GOSSIP,
        _not_a_one_way_path,
        _blocks,
    ),
    Algorithm(
        "tree-types",
        "optimal in complete trees of every height, by a list of types; two-way with period k+2 for arity"
        " k >= 4 (docs/theorems.md, Theorem 2)",
        GOSSIP,
        _no_types,
        _types,
    ),
    Algorithm(
        "tree-recursion",
        "complete trees with any period, optimal among gossips with the root as centre; one-way with period"
        " 2k+2 at most 3kh - (k-1) rounds (docs/theorems.md, Lemma D)",
        GOSSIP,
        _no_recursion,
        _recursion,
    ),
    Algorithm(
        "star-turns",
        "a star's centre calls one leaf after another; optimal but for long periods with edge colouring",
        GOSSIP,
        refuse_star,
        _star,
    ),
    *(_scheme(scheme) for scheme in TREE_SCHEMES),
    Algorithm(
        "theorem-2.6-late-start",
        "accumulation and broadcast in turn, begun late, 4 min b - 2 rounds or less with even periods; after"
        " Theorem 2.6",
        GOSSIP,
        _uses_each_edge_once,
        lambda problem, effort: _accumulation_and_broadcast(problem, effort, late_start=True),
    ),
    Algorithm(
        "theorem-2.6",
        "accumulation and broadcast in turn, at most 4 min b + 2k rounds with period 2k; Hromkovic et al."
        " (1994), Theorem 2.6",
        GOSSIP,
        _uses_each_edge_once,
        lambda problem, effort: _accumulation_and_broadcast(problem, effort, late_start=False),
    ),
    *(_lifted(algorithm) for algorithm in MATCHING_ALGORITHMS),
)
