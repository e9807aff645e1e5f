"""Hints for a refutation proof, found after it was replayed.

For every lemma the clauses that become unit one after the other, and the one that conflicts.

A proof with hints (LRAT) is checked without any search.

References
----------
Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, Efficient certified RAT verification (CADE 2017); going
backwards, and preferring what is needed already: Heule, Hunt, Wetzler, Trimming while checking clausal proofs
(FMCAD 2013).
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
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
    record = _Record(clauses)
    replay_refutation(clauses, variable_count, proof, record)
    assert record.refuted, "the replay ends with the empty clause"
    return list(reversed([*_HintFinder(record).needed()]))


@dataclass(frozen=True)
class _Added:
    """A lemma followed: by its hints if there is no trail, else by what was propagated from its negation."""

    number: int
    clause: Clause
    trail: array[int] | None
    hints: Clause


@dataclass(frozen=True)
class _Dropped:
    """A clause left, as it was deleted or holds anyway."""

    number: int
    clause: Clause


@dataclass(frozen=True)
class _Fixed:
    """Propagation alone makes a literal true, by a unit clause."""

    literal: int


class _Record:
    """What happened in a replay, step by step (`schedsolve.certify.propagation.Witness`).

    Every literal that propagation alone makes true is a lemma of its own, so that no other lemma has to
    derive it again.

    Parameters
    ----------
    formula
        Its clauses.

    Attributes
    ----------
    steps
        What happened, to be undone backwards.
    clauses, having
        Those at hand, by their numbers, and by their literals and numbers.
    fixed
        For every literal that propagation alone makes true, the number of the unit clause that says so.
    false
        The negations of those literals.
    refuted
        Whether the empty clause was reached.
    """

    def __init__(self, formula: Sequence[Sequence[int]]) -> None:
        self.steps: list[_Added | _Dropped | _Fixed] = []
        self.clauses: dict[int, Clause] = {}
        self.having: defaultdict[int, dict[int, Clause]] = defaultdict(dict)
        self.fixed: dict[int, int] = {}
        self.false: set[int] = set()
        self.refuted = False
        self._last = 0
        self._numbers: defaultdict[Clause, list[int]] = defaultdict(list)
        self._deleted: list[int] = []
        for clause in formula:
            self._last += 1
            self._join(self._last, tuple(dict.fromkeys(clause)))
        for number in list(self.clauses):
            self._fix_by(number)

    def lemma(self, clause: Sequence[int], trail: Sequence[int]) -> None:
        """Note a lemma that was accepted."""
        literals = tuple(dict.fromkeys(clause))
        if self.refuted or any(x in self.fixed or -x in literals for x in literals):
            return
        number = self._derived(literals, array("i", trail), ())
        self._join(number, literals)
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

    def _join(self, number: int, clause: Clause) -> None:
        self.clauses[number] = clause
        self._numbers[tuple(sorted(clause))].append(number)
        for literal in clause:
            self.having[literal][number] = clause

    def _drop(self, number: int) -> None:
        if number in self.clauses:
            clause = self.clauses.pop(number)
            for literal in clause:
                del self.having[literal][number]
            self.steps.append(_Dropped(number, clause))

    def _derived(self, clause: Clause, trail: array[int] | None, hints: Clause) -> int:
        self._last += 1
        self.steps.append(_Added(self._last, clause, trail, hints))
        self.refuted = not clause
        return self._last

    def _fix_by(self, number: int) -> None:
        """Make true what a clause, and then others, leave no choice about."""
        pending = [number]
        while pending and not self.refuted:
            number = pending.pop()
            if number not in self.clauses:
                continue
            clause = self.clauses[number]
            left = [literal for literal in clause if literal not in self.false]
            if len(left) > 1 or (left and left[0] in self.fixed):
                continue
            proven = number
            if len(clause) != 1 or not left:
                hints = [self.fixed[-literal] for literal in clause if literal in self.false]
                proven = self._derived(tuple(left), None, (*hints, number))
            if left:
                self.fixed[left[0]] = proven
                self.false.add(-left[0])
                self.steps.append(_Fixed(left[0]))
                # What holds anyway proves nothing else.
                for satisfied in list(self.having[left[0]]):
                    self._drop(satisfied)
                pending += self.having[-left[0]]


class _HintFinder:
    """Undoes the steps of a record, the last one first, and finds hints for the lemmas that are needed.

    Where several clauses give a literal, one that is needed already is preferred, so that fewer lemmas are
    needed.

    Parameters
    ----------
    record
        Of a replay that reached the empty clause; it is used up.
    """

    def __init__(self, record: _Record) -> None:
        self._record = record
        self._clauses, self._fixed, self._false = record.clauses, record.fixed, record.false
        self._others = record.having
        self._core: defaultdict[int, dict[int, Clause]] = defaultdict(dict)
        self._needed: set[int] = set()
        self._latest: dict[int, int] = {}
        """For every literal the clause that gave it last, which often gives it again."""

    def needed(self) -> Iterator[HintedLemma]:
        """Yield the lemmas needed with their hints, the empty clause first."""
        steps, last = self._record.steps, True
        while steps:
            step = steps.pop()
            if isinstance(step, _Fixed):
                del self._fixed[step.literal]
                self._false.discard(-step.literal)
            elif isinstance(step, _Dropped):
                self._clauses[step.number] = step.clause
                table = self._core if step.number in self._needed else self._others
                for literal in step.clause:
                    table[literal][step.number] = step.clause
            else:
                wanted = last or step.number in self._needed
                last = False
                if step.number in self._clauses:
                    self._leave(step.number)
                if wanted:
                    hints = step.hints if step.trail is None else self._hints(step.clause, step.trail)
                    for number in hints:
                        self._need(number)
                    yield HintedLemma(step.number, step.clause, hints)

    def _leave(self, number: int) -> None:
        """Take a lemma out, as it does not follow from itself."""
        table = self._core if number in self._needed else self._others
        for literal in self._clauses.pop(number):
            del table[literal][number]

    def _need(self, number: int) -> None:
        """Note that a clause is needed."""
        if number not in self._needed:
            self._needed.add(number)
            for literal in self._clauses.get(number, ()):
                self._core[literal][number] = self._others[literal].pop(number)

    def _hints(self, clause: Clause, trail: Sequence[int]) -> Clause:
        """Return the hints of a lemma.

        Backwards from a clause that conflicts, the clause that gave each literal needed.
        """
        order, contradiction = self._until_contradiction(trail, clause)
        denied = [-literal for literal in order]
        place = {literal: at for at, literal in enumerate(denied)}
        false, end = self._false, len(denied)
        extra = [literal for literal in clause if literal not in false]
        false.update(extra, denied)
        hints, fixed, due = [self._falsified(contradiction)], dict[int, None](), list[int]()
        given = 0
        while True:
            for x in self._clauses[hints[-1]]:
                if x == given or x in clause:
                    continue
                if x in place:
                    heappush(due, -place[x])
                else:
                    fixed[-x] = None
            while due and -due[0] == end:
                heappop(due)
            if not due:
                break
            at = -heappop(due)
            false.difference_update(denied[at:end])
            end, given = at, order[at]
            false.add(given)
            hints.append(self._falsified(given))
            false.discard(given)
        false.difference_update(denied[:end], extra)
        return (*(self._fixed[literal] for literal in fixed), *reversed(hints))

    def _until_contradiction(self, trail: Sequence[int], clause: Clause) -> tuple[Sequence[int], int]:
        """Return the literals that were propagated, in order, and the first that is false already.

        The solver ends a trail with a false literal of the clause in conflict; where an assumption was false
        when its turn came, its negation stands in the trail.
        """
        fixed, false = self._fixed, self._false
        assumed = {-literal for literal in clause}
        trail = [literal for literal in trail if literal not in fixed and literal not in assumed]
        if not false.isdisjoint(trail) or not set(clause).isdisjoint(trail):
            for at, literal in enumerate(trail):
                if literal in false or literal in clause:
                    return trail[:at], literal
        return trail[:-1], trail[-1]

    def _falsified(self, literal: int) -> int:
        """Return a clause that has the literal and nothing but false literals."""
        latest, false = self._latest.get(literal, 0), self._false
        for having in (self._core[literal], self._others[literal]):
            if latest in having and false.issuperset(having[latest]):
                return latest
            for number, clause in having.items():
                if false.issuperset(clause):
                    self._latest[literal] = number
                    return number
        raise AssertionError("what was propagated has a reason")
