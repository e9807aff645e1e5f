"""Refutations of formulas that theory/ has: the one in a file, or one that is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import Any

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.certify.lower_side import evidence_of
from schedsolve.export.coq.busy_ends import settled_clauses
from schedsolve.export.coq.distant_pairs import renumbered
from schedsolve.export.coq.fewest_calls import waiting_clauses
from schedsolve.export.coq.proof import proof_numbers
from schedsolve.export.coq.terms import task_term
from schedsolve.export.hints import HintedLemma, hinted_lemmas
from schedsolve.modelkit.formulas.cnf import Clauses, Cnf
from schedsolve.modelkit.formulas.cubes import joined_proof, proofs_by_cube
from schedsolve.modelkit.formulas.proof import proof_lines
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import problem_symmetries
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models import model_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError, RetiredEvidenceError

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
DISTANT_PAIRS = "distant pairs"
"""The premise of a file whose formula theory/DistantPairs.v has."""


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
    pairs
        Of a gossip that is refuted by pairs of nodes: the formula is that of theory/DistantPairs.v.
    """

    choice: Choice
    images: Sequence[Sequence[int]]
    lemmas: Sequence[HintedLemma]
    clause_count: int
    pairs: Sequence[Sequence[int]] = ()

    def numbers(self, *, forgetting: bool = False) -> Iterator[int]:
        """Yield it as the numbers that theory/Checker.v reads (`proof_numbers`)."""
        return proof_numbers(self.lemmas, self.clause_count, forgetting=forgetting)


def _given(question: Question, evidence: Mapping[str, Any]) -> Refutation:
    """Return the refutation in a file, of the question's problem and rounds; a ClaimError if it is none."""
    _, cnf = model_of(question.problem).refutation(question.problem, evidence)
    lines = joined_proof(proofs_by_cube(evidence)) if "cubes" in evidence else proof_lines(evidence)
    lemmas, clause_count = _hinted(cnf, lines)
    if evidence.get("premise") != DISTANT_PAIRS:
        return Refutation(Choice.ANY, evidence.get("symmetries", []), lemmas, clause_count)
    pairs, network = [(i, j) for i, j in evidence["pairs"]], question.problem.network
    links = len(network.edges if question.two_way else network.arcs)
    lemmas = renumbered(lemmas, network, links, question.rounds, pairs)
    return Refutation(Choice.ANY, (), lemmas, clause_count, pairs)


def refuted_formula(question: Question, images: Sequence[Sequence[int]], choice: Choice) -> Cnf:
    """Return the formula to refute: the plain one with the clauses of `choice`; inner rounds have their own.

    Parameters
    ----------
    question
        Whose rounds are to be refuted.
    images
        Automorphisms whose images are compared: of the first round, or of the places of items.
    choice
        Which gossips are asked for; for other tasks `Choice.ANY`.
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
                    stack.close()  # The hints take as much memory as the solvers.
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


@dataclass(frozen=True)
class Saved:
    """What a file claims.

    Attributes
    ----------
    refutations
        Those whose formula theory/ has, each with its problem.
    others
        Other evidence by its kind and premise, each with the bound that it claims.
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
        if kind == "refutation" and evidence.get("premise") in (None, DISTANT_PAIRS):
            refutations.append((at, evidence))
        else:
            others[str(evidence.get("premise") or kind.replace("-", " "))] = bound.value
    return Saved(refutations, others)


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
