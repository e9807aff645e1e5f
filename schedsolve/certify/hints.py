"""Hints for a refutation proof, found while it is replayed.

For every lemma the clauses that become unit one after the other, and the one that conflicts.

A proof with hints (LRAT) is checked without any search.

References
----------
Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, Efficient certified RAT verification (CADE 2017).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from schedsolve.certify.propagation import replay_refutation

Clause = tuple[int, ...]


@dataclass(frozen=True)
class HintedLemma:
    """A lemma with the numbers of the clauses that prove it, in the order in which they are used.

    Attributes
    ----------
    number
        Its own; those of the formula's clauses are 1, 2, ... in the order of the formula.
    """

    number: int
    clause: Clause
    hints: Clause


def hinted_lemmas(
    clauses: Sequence[Sequence[int]], variable_count: int, proof: Iterable[str]
) -> list[HintedLemma]:
    """Return the lemmas of a refutation that its last one, the empty clause, rests on, each with its hints.

    Parameters
    ----------
    clauses, variable_count, proof
        As in `replay_refutation`, which the proof has to pass.

    Raises
    ------
    ClaimError
        As that does.
    """
    finder = HintFinder(clauses)
    replay_refutation(clauses, variable_count, proof, finder)
    assert finder.refuted, "the replay ends with the empty clause"
    return list(_needed(finder.lemmas, len(clauses)))


def _needed(lemmas: Sequence[HintedLemma], formula_size: int) -> Iterator[HintedLemma]:
    """Return the lemmas that the last one rests on, itself included."""
    needed = {lemmas[-1].number}
    for lemma in reversed(lemmas):
        if lemma.number in needed:
            needed.update(hint for hint in lemma.hints if hint > formula_size)
    return (lemma for lemma in lemmas if lemma.number in needed)


@dataclass
class HintFinder:
    """A witness of a replay that finds the hints of its lemmas (`schedsolve.certify.propagation.Witness`).

    Attributes
    ----------
    lemmas
        Those found so far. Every literal that propagation alone makes true is a lemma of its own, so that no
        other lemma has to derive it again.
    """

    formula: Sequence[Sequence[int]]
    lemmas: list[HintedLemma] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._last = 0
        self._clauses: dict[int, Clause] = {}
        self._having: defaultdict[int, dict[int, Clause]] = defaultdict(dict)
        self._numbers: defaultdict[Clause, list[int]] = defaultdict(list)
        self._deleted: list[int] = []
        self._latest: dict[int, int] = {}
        """For every literal the clause that gave it last, which often gives it again."""
        self._fixed: dict[int, int] = {}
        """For every literal that propagation alone makes true, the number of the unit clause that says so."""
        self._false: set[int] = set()
        """The negations of the literals that are fixed, and those of the lemma at hand."""
        for number, clause in enumerate(self.formula, 1):
            self._last = number
            self._clauses[number] = tuple(dict.fromkeys(clause))
        for number, kept in list(self._clauses.items()):
            self._numbers[tuple(sorted(kept))].append(number)
            for literal in kept:
                self._having[literal][number] = kept
        for number in list(self._clauses):
            self._fix_by(number)

    @property
    def refuted(self) -> bool:
        """Whether the empty clause was reached."""
        return bool(self.lemmas) and not self.lemmas[-1].clause

    def lemma(self, clause: Sequence[int], trail: Sequence[int]) -> None:
        """Find the hints of a lemma that was accepted."""
        literals = tuple(dict.fromkeys(clause))
        if self.refuted or any(literal in self._fixed or -literal in literals for literal in literals):
            return
        number = self._derived(literals, self._hints(literals, trail))
        self._clauses[number] = literals
        self._numbers[tuple(sorted(literals))].append(number)
        for literal in literals:
            self._having[literal][number] = literals
        self._fix_by(number)

    def deletion(self, clause: Sequence[int]) -> None:
        """Remember that a copy of the clause was deleted."""
        copies = self._numbers.get(tuple(sorted(dict.fromkeys(clause))))
        if copies:
            self._deleted.append(copies.pop())

    def forgotten(self) -> None:
        """Forget what was deleted."""
        for number in self._deleted:
            self._drop(number)
        self._deleted.clear()

    def _drop(self, number: int) -> None:
        for literal in self._clauses.pop(number, ()):
            self._having[literal].pop(number, None)

    def _derived(self, clause: Clause, hints: Iterable[int]) -> int:
        self._last += 1
        self.lemmas.append(HintedLemma(self._last, clause, tuple(hints)))
        return self._last

    def _fix_by(self, number: int) -> None:
        """Make true what a clause, and then others, leave no choice about."""
        pending = [number]
        while pending and not self.refuted:
            number = pending.pop()
            if number not in self._clauses:
                continue
            clause = self._clauses[number]
            left = [literal for literal in clause if literal not in self._false]
            if len(left) > 1 or (left and left[0] in self._fixed):
                continue
            hints = [self._fixed[-literal] for literal in clause if literal in self._false]
            proven = number if len(clause) == 1 == len(left) else self._derived(tuple(left), [*hints, number])
            if left:
                self._fixed[left[0]] = proven
                self._false.add(-left[0])
                # What holds anyway proves nothing else.
                for satisfied in list(self._having[left[0]]):
                    self._drop(satisfied)
                pending += self._having[-left[0]]

    def _hints(self, clause: Clause, trail: Sequence[int]) -> list[int]:
        """Return the hints of a lemma.

        Backwards from a clause that conflicts, the clause that gave each literal needed.
        """
        assumed = {-literal for literal in clause}
        order, contradiction = self._until_contradiction(trail, assumed)
        denied = [-literal for literal in order]
        place = {literal: at for at, literal in enumerate(order)}
        false, end = self._false, len(order)
        extra = [literal for literal in clause if literal not in false]
        false.update(extra, denied)
        hints, fixed = [self._falsified(contradiction)], dict[int, None]()
        needed: list[int] = []
        self._need(hints[0], 0, place, needed, fixed, assumed)
        before = -1
        while needed:
            at = -heappop(needed)
            if at == before:
                continue
            before = at
            false.difference_update(denied[at:end])
            false.update(clause)
            end = at
            false.add(order[at])
            hints.append(self._falsified(order[at]))
            false.discard(order[at])
            self._need(hints[-1], order[at], place, needed, fixed, assumed)
        false.difference_update(denied[:end], extra)
        return [*(self._fixed[literal] for literal in fixed), *reversed(hints)]

    def _until_contradiction(self, trail: Sequence[int], assumed: set[int]) -> tuple[Sequence[int], int]:
        """Return the literals that were propagated, in order, and the first that is false already.

        The solver ends a trail with a false literal of the clause in conflict; where an assumption was false
        when its turn came, its negation stands in the trail.
        """
        fixed = self._fixed.keys()
        if not fixed.isdisjoint(trail):
            trail = [literal for literal in trail if literal not in fixed]
        denied = [-literal for literal in trail]
        if not assumed.isdisjoint(denied) or not fixed.isdisjoint(denied):
            for at, literal in enumerate(denied):
                if literal in assumed or literal in fixed:
                    return trail[:at], trail[at]
        return trail[:-1], trail[-1]

    def _falsified(self, literal: int) -> int:
        """Return a clause that has the literal and nothing but false literals."""
        having, latest, false = self._having[literal], self._latest.get(literal, 0), self._false
        if latest in having and false.issuperset(having[latest]):
            return latest
        for number, clause in having.items():
            if false.issuperset(clause):
                self._latest[literal] = number
                return number
        raise AssertionError("what was propagated has a reason")

    def _need(
        self,
        number: int,
        given: int,
        place: Mapping[int, int],
        needed: list[int],
        fixed: dict[int, None],
        assumed: set[int],
    ) -> None:
        """Note what a clause needs to give a literal (0.

        To conflict): literals of the trail, by their place in it, latest first, and fixed ones.
        """
        for x in self._clauses[number]:
            if x == given or -x in assumed:
                continue
            if -x in place:
                heappush(needed, -place[-x])
            else:
                fixed[-x] = None
