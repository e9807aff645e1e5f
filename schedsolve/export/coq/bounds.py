"""Which lemma of theory/ proves that so many rounds do not suffice.

Counting and distance go first, as they need no proof of their own; Coq computes them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from schedsolve.export.coq.prices import prices_against
from schedsolve.export.coq.proof import proof_texts
from schedsolve.export.coq.refutations import Choice, Question, Refutation, Saved, refutation_for
from schedsolve.export.coq.terms import numbers
from schedsolve.models import build_problem
from schedsolve.network.graph import Network

LEMMAS = {
    Choice.FEWEST_CALLS: "fewest_refuted",
    Choice.BUSY_ENDS: "busy_ends_refuted",
    Choice.INNER_ROUNDS: "inner_rounds_refuted",
}
COMPUTED = "vm_cast_no_check (eq_refl true)."
"""The tactic that has Coq compute whether something is true."""


@dataclass(frozen=True)
class Lemma:
    """What proves that the rounds of a question do not suffice.

    Attributes
    ----------
    step
        A tactic that leaves a computation to be done.
    images, proof, distances, prices, distant
        The lists that it uses by these names, empty where it uses none: automorphisms, the texts of a
        refutation, for each node how far the others are, what knowing items is worth, and pairs of nodes.
    """

    step: str
    images: Sequence[Sequence[int]] = ()
    proof: Sequence[str] = ()
    distances: Sequence[Sequence[int]] = ()
    prices: Sequence[Sequence[int]] = ()
    distant: Sequence[Sequence[int]] = ()


def counted(question: Question) -> Iterator[Lemma]:
    """Yield the lemmas that prove it by nothing but a computation."""
    problem, rounds, network = question.problem, question.rounds, question.network
    n = problem.network.node_count
    alone = question.is_gossip or bool(problem.choice)
    first = 1 if alone else len(problem.sources)
    last = n if alone else len({*problem.sources, *problem.targets})
    if first << rounds < last:
        yield Lemma(_one_or_all(question, "doubling", "0"))
    if question.is_gossip and question.two_way and n > 1 and n % 2 and 1 << max(rounds - 1, 0) < n:
        yield Lemma(f"refine (odd_order_refuted {network} {rounds} _)")
    yield from _distant(question)
    prices = prices_against(n, rounds) if question.is_gossip and not question.two_way else ()
    if prices:
        yield Lemma(f"refine (prices_refuted {network} {rounds} prices _)", prices=prices)


def _distant(question: Question) -> Iterator[Lemma]:
    """Yield the lemma that some target is farther than so many rounds from an item's sources, if it is."""
    problem, rounds = question.problem, question.rounds
    network = problem.network.reversed() if problem.task == "accumulation" else problem.network
    if question.is_gossip or problem.choice:
        table = [[d or 0 for d in network.distances_from([v])] for v in range(network.node_count)]
        far = [max(row) > rounds for row in table]
        if question.is_gossip and any(far):
            item = far.index(True)
            step = f"refine (distance_refuted {question.mode} {question.network} ({question.task()})"
            yield Lemma(f"{step} {item} {numbers(table[item])} {rounds} _)")
        elif problem.choice and all(far):
            yield Lemma(_one_or_all(question, "distance", "0 (nth v distances [])"), distances=table)
    else:
        row = [d or 0 for d in network.distances_from(problem.sources)]
        if max(row[v] for v in problem.targets) > rounds:
            yield Lemma(_one_or_all(question, "distance", f"0 {numbers(row)}"))


def _one_or_all(question: Question, bound: str, arguments: str) -> str:
    """Return the tactic for a bound of one item; for the best source it is applied to each."""
    mode, network, rounds = question.mode, question.network, question.rounds
    if not question.problem.choice:
        return f"refine ({bound}_refuted {mode} {network} ({question.task()}) {arguments} {rounds} _)"
    asked = f"({question.task('v')}) {arguments} {rounds}"
    return (
        f"refine (best_refuted_by {network} _ (fun v => {bound}_refutes {network} {asked}) {rounds}\n"
        f"    (fun v => {bound}_refuted {mode} {network} {asked}) _)"
    )


def _by_refutation(question: Question, refutation: Refutation) -> Lemma:
    """Return the lemma for a refutation."""
    problem, rest = question.problem, f"{question.rounds} images (numbers_of proof) _)"
    place = f"{question.mode} {question.network}"
    if refutation.pairs:
        step = f"refine (distant_pairs_refuted {place} {question.rounds} distant (numbers_of proof) _)"
    elif refutation.choice in LEMMAS:
        step = f"refine ({LEMMAS[refutation.choice]} {question.network} {rest}"
    elif question.is_gossip:
        step = f"refine (gossip_refuted {place} {rest}"
    elif problem.choice:
        step = f"refine (best_broadcast_refuted {place} {rest}"
    elif problem.task == "multicast":
        ends = f"{numbers(problem.sources)} {numbers(problem.targets)}"
        step = f"refine (multicast_refuted {place} {ends} {rest}"
    else:
        step = f"refine (broadcast_refuted {place} {numbers(problem.sources)} {rest}"
    proof = proof_texts(refutation.numbers())
    return Lemma(step, refutation.images, proof, distant=refutation.pairs)


def lemma_for(question: Question, saved: Saved) -> Lemma:
    """Return the lemma that proves that the rounds do not suffice.

    Counting or distance, the theorem on trees, a refutation in the file, or one that is found.

    Raises
    ------
    InputError
        If there is none, with the names of the evidence that has no lemma.
    """
    for lemma in counted(question):
        return lemma
    if question.is_gossip and _is_tree(question.problem.network):
        return _on_tree(question)
    at, refutation = refutation_for(question, saved)
    return _by_refutation(at, refutation)


def _is_tree(network: Network) -> bool:
    return (
        not network.directed
        and len(network.edges) == network.node_count - 1 > 0
        and None not in network.distances_from([0])
    )


def _on_tree(question: Question) -> Lemma:
    """Return the lemma that a gossip takes twice the rounds of a broadcast from the best node.

    Two-way, a round less. That so few rounds do not suffice for the broadcast takes a lemma of its own.
    """
    problem, rounds = question.problem, question.rounds
    fewer = (rounds + 1) // 2 if question.two_way else rounds // 2
    broadcast = build_problem(problem.model, "broadcast", problem.network, {"source": "min"})
    inner = lemma_for(replace(question, problem=broadcast, rounds=fewer), Saved((), {}))
    tree = f"apply (tree_refuted {question.mode} {question.network} {fewer} {rounds})"
    return replace(inner, step=f"{tree};\n    [{COMPUTED[:-1]}|].\n  {inner.step}")
