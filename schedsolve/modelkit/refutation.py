"""What formulas about calls in rounds share.

The calls as variables, the breaking of symmetries, and what a refutation says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Question
from schedsolve.network.automorphisms import Automorphism, automorphisms, is_automorphism
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError

LARGEST_FORMULA = 20_000_000
"""The most literals that a formula may have; a larger one is not built."""
LITERALS_A_SECOND = 2_000_000
"""How fast a formula is written down; one that would take the whole time left is not begun."""
LARGEST_SYMMETRY_PART = 400_000
"""The most pairs of call variables that all lex-leader constraints together compare."""


def affordable(
    question: Question,
    size: int,
    *,
    largest: int = LARGEST_FORMULA,
    literals_a_second: float = LITERALS_A_SECOND,
) -> bool:
    """Return whether a formula of about `size` literals is written down within the time left.

    It is not too large either.
    """
    return size <= min(largest, literals_a_second * question.seconds)


@dataclass(frozen=True)
class CallsFormula:
    """A formula about the calls of `rounds` rounds.

    Its first variables are call(a, t), "arc (or edge) number a is called in round t".

    Attributes
    ----------
    links
        The arcs, or in the two-way mode the edges, in the order of their numbers a.
    period
        Rounds that are this far apart have the same calls, and share their variables; None when nothing
        repeats.
    """

    cnf: Cnf
    network: Network
    links: Sequence[tuple[int, int]]
    rounds: int
    period: int | None = field(default=None, kw_only=True)

    @property
    def slots(self) -> int:
        """The number of rounds, from the first, that have variables of their own."""
        return self.rounds if self.period is None else min(self.period, self.rounds)

    def call(self, link: int, t: int) -> int:
        """Return the variable of the call along links[link] in round t = 1..rounds."""
        return (t - 1) % self.slots * len(self.links) + link + 1

    @property
    def call_variables(self) -> range:
        """The variables of the calls, round by round."""
        return range(1, self.slots * len(self.links) + 1)

    def names(self) -> dict[int, str]:
        """Return the names of the variables: calls by link and round, what else there is by `other_names`."""
        return {
            self.call(a, t): f"call_{u}_{v}_t{t}"
            for t in range(1, self.slots + 1)
            for a, (u, v) in enumerate(self.links)
        } | self.other_names()

    def other_names(self) -> dict[int, str]:
        """Return the names of the variables that are no calls."""
        return {}

    def calls(self, true: Collection[int]) -> list[list[tuple[int, int]]]:
        """Return the links called in each round, in a model given by its true variables."""
        links = range(len(self.links))
        return [[self.links[a] for a in links if self.call(a, t) in true] for t in range(1, self.rounds + 1)]


def break_symmetries(formula: CallsFormula, problem: Problem, images: Iterable[Sequence[int]]) -> None:
    """Add that the calls of round 1 are at least their image under every automorphism.

    They are compared lexicographically.

    The calls of round 1 are a vector over the links in order, a call before no call. An automorphism of the
    network that maps sources to sources and targets to targets turns a schedule into a schedule. Of all
    schedules into which automorphisms turn a given one, that with the largest first round is at least its
    image under each of them; so if there is a schedule, there is one that fulfils all that is added.

    images: for every automorphism, the image of each node. Raises ClaimError for one that is no automorphism
    or moves a source or target away.
    """
    for image in images:
        if formula.rounds < 1:
            raise ClaimError("there is no first round whose symmetry could be broken")
        _refuse_asymmetry(formula, problem, image)
        add_lex_leader(formula, image)


def _refuse_asymmetry(formula: CallsFormula, problem: Problem, image: Sequence[int]) -> None:
    if not is_automorphism(formula.network, image):
        raise ClaimError("a symmetry that the proof uses is no automorphism of the network")
    if problem.task == "gossip":
        return
    sources = set() if problem.choice else set(problem.sources)
    if {image[v] for v in sources} != sources or {image[v] for v in problem.targets} != set(problem.targets):
        raise ClaimError("a symmetry that the proof uses moves a source or a target away")


def add_lex_leader(formula: CallsFormula, image: Sequence[int], *conditions: int) -> None:
    """Add that the calls of round 1 are at least their image under the automorphism.

    They are compared lexicographically, wherever all the conditions, literals, hold.
    """
    moved = moved_links(formula, image)
    one = [formula.call(a, 1) for a in range(len(moved))]
    add_larger(formula.cnf, one, [formula.call(b, 1) for b in moved], *conditions)


def add_larger(cnf: Cnf, one: Sequence[int], other: Sequence[int], *conditions: int) -> None:
    """Add that a vector of variables is lexicographically at least another.

    It is added for wherever all the conditions, literals, hold.
    """
    unless = [-condition for condition in conditions]
    equal_so_far: list[int] = unless
    for p, q in zip(one, other, strict=True):
        if p == q:
            continue
        cnf.add(*equal_so_far, p, -q)
        still_equal = cnf.new()
        cnf.add(*equal_so_far, -p, -q, still_equal)
        cnf.add(*equal_so_far, p, q, still_equal)
        equal_so_far = [*unless, -still_equal]


def add_largest(
    cnf: Cnf,
    network: Network,
    images: Sequence[Sequence[int]],
    vector: Sequence[int],
    moved: Callable[[Sequence[int]], Sequence[int]],
    other_end: Callable[[Sequence[int]], Sequence[int]],
) -> None:
    """Add that a vector of variables is lexicographically at least its images.

    On an undirected network its beginning is also at least what it would be with the rounds run backwards,
    and the images of that.

    images: automorphisms, as the image of each node. moved, other_end: the vector of an image, and what the
    beginning is compared with. Raises ClaimError for an image that is no automorphism.
    """
    for image in images:
        if not is_automorphism(network, image):
            raise ClaimError("a symmetry that the proof uses is no automorphism of the network")
        add_larger(cnf, vector, moved(image))
    if not network.directed:
        for image in (range(network.node_count), *images):
            backwards = other_end(image)
            add_larger(cnf, vector[: len(backwards)], backwards)


def moved_links(formula: CallsFormula, image: Sequence[int], *, turned: bool = False) -> list[int]:
    """Return for every link the number of its image under an automorphism.

    With `turned` it is the number of the image in the opposite direction.
    """
    number = {link: a for a, link in enumerate(formula.links)}
    two_way = len(formula.links) < len(formula.network.arcs)
    moved = ((image[v], image[u]) if turned else (image[u], image[v]) for u, v in formula.links)
    return [number[min(x, y), max(x, y)] if two_way else number[x, y] for x, y in moved]


def refuted_rounds(evidence: Mapping[str, Any]) -> int:
    """Return the number of rounds that a refutation claims not to suffice.

    Raises
    ------
    ClaimError
        If it names none.
    """
    rounds = evidence.get("rounds")
    if type(rounds) is not int or rounds < 0:
        raise ClaimError("a refutation says how many rounds it refutes")
    return rounds


def refuse_large_formula(literals: int, rounds: int, most_rounds: int | None = None) -> None:
    """Raise ClaimError when a formula is too large to be built for a check.

    It has too many literals for so many rounds, or there are more rounds than `most_rounds`.
    """
    if literals > LARGEST_FORMULA or (most_rounds is not None and rounds > most_rounds):
        raise ClaimError(f"the formula for {rounds} rounds is too large to be built")


def used_symmetries(evidence: Mapping[str, Any], key: str = "symmetries") -> list[list[int]]:
    """Return the symmetries that a refutation uses.

    Raises
    ------
    ClaimError
        If they are no lists of node numbers.
    """
    symmetries = evidence.get(key, [])
    if not isinstance(symmetries, list) or not all(
        isinstance(s, list) and all(type(x) is int for x in s) for s in symmetries
    ):
        raise ClaimError("symmetries are lists of node numbers")
    return symmetries


def problem_symmetries(problem: Problem, link_count: int, most: int = 256) -> Sequence[Automorphism]:
    """Automorphisms that map the problem to itself.

    They keep the set of sources (or the root) and the set of targets.

    Parameters
    ----------
    problem
        The problem.
    link_count
        The number of variables that each of them makes a lex-leader constraint compare; bounds how many are
        given; at most `most`.
    most
        The most symmetries that are returned.
    """
    fixing = () if problem.task == "gossip" or problem.choice else (problem.sources, problem.targets)
    limit = min(most, LARGEST_SYMMETRY_PART // max(1, link_count))
    return automorphisms(problem.network, fixing=fixing, limit=limit) if limit else ()
