"""Which lemma of theory/ proves that so many rounds do not suffice, and the refutation where it takes one.

Counting and distance go first, as they need no proof of their own; Coq computes them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import Any

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.certify.hints import HintedLemma, hinted_lemmas
from schedsolve.certify.lower_side import evidence_of
from schedsolve.errors import ClaimError, InputError, RetiredEvidenceError
from schedsolve.export.coq_busy_ends import settled_clauses
from schedsolve.export.coq_fewest_calls import waiting_clauses
from schedsolve.export.coq_prices import prices_against
from schedsolve.export.coq_proof import proof_numbers, proof_texts
from schedsolve.export.coq_terms import numbers, task_term
from schedsolve.formulas.cnf import Clauses, Cnf
from schedsolve.formulas.cubes import joined_proof, proofs_by_cube
from schedsolve.formulas.proof import proof_lines
from schedsolve.modelkit.refutation import problem_symmetries
from schedsolve.models import build_problem, model_of
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.result import Bound
from schedsolve.schedule import Schedule

SECONDS = 120.0
"""CPU time for which a refutation is sought where the file has none of the plain formula."""
FIRST_TURN = 1.0
"""The seconds of the first turn of each search, where there are two; each turn is twice the one before."""


class Choice(StrEnum):
    """Which one-way gossips the formula asks for, of those that there are if there are any."""

    ANY = "gossip"
    FEWEST_CALLS = "gossip with the fewest calls"
    BUSY_ENDS = "gossip with busy ends"
    INNER_ROUNDS = "gossip by inner rounds"


FORMULAS_OF_ONE_WAY_GOSSIP = tuple(Choice)
"""Those that are refuted by turns: of each some proofs are the shorter ones."""
MOST_SYMMETRIES = 256
LEAST_ROUNDS = {Choice.ANY: 0, Choice.FEWEST_CALLS: 2, Choice.BUSY_ENDS: 2, Choice.INNER_ROUNDS: 4}
"""Of a gossip that has a first round and a last, or two of each."""
LEMMAS = {
    Choice.FEWEST_CALLS: "fewest_refuted",
    Choice.BUSY_ENDS: "busy_ends_refuted",
    Choice.INNER_ROUNDS: "inner_rounds_refuted",
}
COMPUTED = "vm_cast_no_check (eq_refl true)."
"""The tactic that has Coq compute whether something is true."""


@dataclass(frozen=True)
class Question:
    """Whether so many rounds suffice.

    Attributes
    ----------
    problem
        Its source given, or left open as "min".
    mode, network
        Their names in Coq; an accumulation is asked as the broadcast that it is backwards, in a network of
        which `network` is the term.
    two_way
        Whether calls go both ways.
    rounds
        Those that are to be refuted.
    seconds
        CPU time for which a refutation is sought.
    """

    problem: Problem
    mode: str
    network: str
    two_way: bool
    rounds: int
    seconds: float = SECONDS

    def task(self, source: str | None = None) -> str:
        """Return the term of the task.

        Parameters
        ----------
        source
            Of a source that is left open.
        """
        return task_term(self.problem, self.network, source)

    @property
    def is_gossip(self) -> bool:
        """Whether every node has an item of its own."""
        return self.problem.task == "gossip"


@dataclass(frozen=True)
class Lemma:
    """What proves that the rounds of a question do not suffice.

    Attributes
    ----------
    step
        A tactic that leaves a computation to be done.
    images, proof, distances, prices
        The lists that it uses by these names, empty where it uses none: automorphisms, the texts of a
        refutation, for each node how far the others are, and what knowing items is worth.
    """

    step: str
    images: Sequence[Sequence[int]] = ()
    proof: Sequence[str] = ()
    distances: Sequence[Sequence[int]] = ()
    prices: Sequence[Sequence[int]] = ()


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


@dataclass(frozen=True)
class Refutation:
    """A refutation of the plain formula, or of another that theory/ has.

    Attributes
    ----------
    choice
        Which gossips the formula asks for.
    images
        The automorphisms that it uses.
    lemmas
        Each with its hints, the empty clause last.
    clause_count
        Of the formula, its clauses that break symmetries included.
    """

    choice: Choice
    images: Sequence[Sequence[int]]
    lemmas: Sequence[HintedLemma]
    clause_count: int

    def numbers(self, *, forgetting: bool = False) -> Iterator[int]:
        """Yield it as the numbers that theory/Checker.v reads (`proof_numbers`)."""
        return proof_numbers(self.lemmas, self.clause_count, forgetting=forgetting)


def _given(question: Question, evidence: Mapping[str, Any]) -> Refutation:
    """Return the refutation in a file, of the question's problem and rounds; a ClaimError if it is none."""
    _, cnf = model_of(question.problem).refutation(question.problem, evidence)
    lines = joined_proof(proofs_by_cube(evidence)) if "cubes" in evidence else proof_lines(evidence)
    return Refutation(Choice.ANY, evidence.get("symmetries", []), *_hinted(cnf, lines))


def refuted_formula(question: Question, images: Sequence[Sequence[int]], choice: Choice) -> Cnf:
    """Return the plain formula, and the clauses of a choice besides; by inner rounds theirs.

    Parameters
    ----------
    question
        Whose rounds are to be refuted.
    images
        Automorphisms whose images are compared: of the first round, or of the places of items.
    choice
        Which gossips are asked for; of other tasks any.
    """
    problem, model, rounds = question.problem, model_of(question.problem), question.rounds
    premise = {"premise": "inner rounds"} if choice is Choice.INNER_ROUNDS else {}
    _, cnf = model.refutation(problem, {"rounds": rounds, "symmetries": images, **premise})
    if choice in (Choice.FEWEST_CALLS, Choice.BUSY_ENDS):
        _, plain = model.refutation(problem, {"rounds": rounds})
        place = len(plain.clauses)
        chosen = _chosen(problem.network, rounds, choice)
        cnf.clauses = Clauses(chain(cnf.clauses[:place], chosen, cnf.clauses[place:]))
    return cnf


def _chosen(network: Network, rounds: int, choice: Choice) -> Iterator[list[int]]:
    busy = choice is Choice.BUSY_ENDS
    yield from waiting_clauses(network, rounds, int(busy))
    for end in (1, rounds) if busy else ():
        yield from settled_clauses(network, end)


def _searched(question: Question) -> Refutation | None:
    """Look for a refutation, of one-way gossips in several ways by turns; None if none is found in time."""
    network = question.problem.network
    compared = 2 * (network.node_count + len(network.arcs))  # by inner rounds, at most
    images = problem_symmetries(question.problem, compared, MOST_SYMMETRIES) if question.rounds else []
    symmetries = [list(image) for image in images]
    one_way = question.is_gossip and not question.two_way
    choices = [
        choice
        for choice in (FORMULAS_OF_ONE_WAY_GOSSIP if one_way else (Choice.ANY,))
        if question.rounds >= LEAST_ROUNDS[choice]
    ]
    formulas = {choice: refuted_formula(question, symmetries, choice) for choice in choices}
    with ExitStack() as stack:
        searches = {choice: _search(cnf) for choice, cnf in formulas.items()}
        for search in searches.values():
            stack.callback(search.close)
        for seconds in _turns(question.seconds / len(searches)):
            for choice, search in [*searches.items()]:
                answer = search.advance(seconds)
                if answer is False and (lines := search.proof()) is not None:
                    return Refutation(choice, symmetries, *_hinted(formulas[choice], lines))
                if answer:  # by inner rounds a model is no gossip
                    del searches[choice]
    return None


def _search(cnf: Cnf) -> SatSearch:
    return SatSearch(lambda: SatQuestion(cnf, [], _no_schedule), with_proof=True)


def _turns(seconds: float) -> Iterator[float]:
    """Yield how long each turn is, twice as long as that before, until they add up to so many seconds."""
    turn = FIRST_TURN
    while seconds > 0:
        yield min(turn, seconds)
        seconds, turn = seconds - turn, 2 * turn


def _no_schedule(_: set[int]) -> tuple[Problem, Schedule]:
    raise ClaimError("so many rounds suffice after all")


def _hinted(cnf: Cnf, lines: Sequence[str] | Iterator[str]) -> tuple[Sequence[HintedLemma], int]:
    return hinted_lemmas(cnf.clauses, cnf.variable_count, lines), len(cnf.clauses)


def _by_refutation(question: Question, refutation: Refutation) -> Lemma:
    """Return the lemma for a refutation."""
    problem, rest = question.problem, f"{question.rounds} images (numbers_of proof) _)"
    place = f"{question.mode} {question.network}"
    if refutation.choice in LEMMAS:
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
    return Lemma(step, refutation.images, proof_texts(refutation.numbers()))


@dataclass(frozen=True)
class Saved:
    """The refutations of the plain formula in a file, each with its problem.

    And by kinds of evidence and premises what else it has, each with the bound that it claims.
    """

    refutations: Sequence[tuple[Problem, Mapping[str, Any]]]
    others: Mapping[str, Any]


def saved_evidence(problem: Problem, bounds: Sequence[Bound]) -> Saved:
    """Return what the lower bounds of a result's certificate rest on."""
    refutations, others = list[tuple[Problem, Mapping[str, Any]]](), dict[str, Any]()
    for bound in bounds:
        try:
            at, kind, evidence = evidence_of(problem, bound)
        except RetiredEvidenceError:
            continue
        if kind == "refutation" and evidence.get("premise") is None:
            refutations.append((at, evidence))
        else:
            others[str(evidence.get("premise") or kind.replace("-", " "))] = bound.value
    return Saved(refutations, others)


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


def refutation_for(question: Question, saved: Saved) -> tuple[Question, Refutation]:
    """Return a refutation of a formula that theory/ has, from the file or found here, and what it refutes.

    Raises
    ------
    InputError
        If there is none, with the names of the evidence that has no lemma.
    """
    for problem, evidence in saved.refutations:
        if (
            problem.with_parameters(rounds=None) == question.problem
            and evidence.get("rounds") == question.rounds
        ):
            at = replace(question, problem=problem)
            return at, _given(at, evidence)
    found = _searched(question)
    if found is None:
        names = [name for name, value in saved.others.items() if value == question.rounds + 1]
        without = f", and has no lemma for {' and '.join(names)}" if names else ""
        raise InputError(
            f"no theorem yet: theory/ proves by counting, distance, prices and plain refutations{without};"
            f" no refutation of {question.rounds} rounds was found in {question.seconds:g} CPU seconds"
            " (--time-limit)"
        )
    return question, found
