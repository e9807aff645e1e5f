"""A small checker of LRAT proofs, which shares no code with the package: lemmas proven by the clauses that
their hints name, each of which must be unit when its turn comes, and the last in conflict.
"""

from __future__ import annotations


def dimacs_clauses(text: str) -> dict[int, list[int]]:
    """The clauses of a formula in DIMACS, one on a line, numbered from 1."""
    lines = [line for line in text.splitlines() if line and line[0] not in "cp"]
    return {number: [int(word) for word in line.split()][:-1] for number, line in enumerate(lines, 1)}


def refutes(formula: str, proof: str) -> bool:
    """Whether an LRAT proof without RAT steps derives the empty clause from a formula in DIMACS."""
    clauses = dimacs_clauses(formula)
    newest = len(clauses)
    for line in proof.splitlines():
        number, *words = line.split()
        if words[0] == "d":
            for word in words[1:-1]:
                del clauses[int(word)]
            continue
        values = [int(word) for word in words]
        middle = values.index(0)
        lemma, hints, end = values[:middle], values[middle + 1 : -1], values[-1]
        if end != 0 or int(number) <= newest or not _follows(lemma, hints, clauses):
            return False
        if not lemma:
            return True
        newest = int(number)
        clauses[newest] = lemma
    return False


def _follows(lemma: list[int], hints: list[int], clauses: dict[int, list[int]]) -> bool:
    """Whether the hints lead from the negation of the lemma to a clause of which all literals are false."""
    true = {-literal for literal in lemma}
    for hint in hints:
        if hint not in clauses:
            return False
        left = {literal for literal in clauses[hint] if -literal not in true}
        if not left:
            return hint == hints[-1]
        if len(left) > 1 or left <= true:
            return False
        true |= left
    return False
