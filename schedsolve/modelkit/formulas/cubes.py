"""A formula split into cases, and the refutations of all cases joined into one of the formula.

A cube is a conjunction of literals. A formula is split by a variable into the cube in which the
variable is true and the cube in which it is false, each of these by another variable, and so on. The
cubes at the leaves of this tree are refuted one by one, each as the formula with the cube's literals
as unit clauses.

`joined_proof` turns the refutations of the leaves into one of the formula. It is correct because:

1. If a lemma follows by unit propagation in a cube, then "the lemma, or the cube does not hold"
   follows by unit propagation without the cube, from the lemmas before it weakened in the same way.
2. The last lemma of a cube is empty; weakened, it says that the cube does not hold.
3. That an inner node of the tree does not hold follows from the same statement for its two branches.
4. When a cube is closed, its lemmas are deleted. Clauses of the formula are never deleted, since
   other cubes need them.

Source: Heule, Kullmann, Wieringa, Biere, Cube and conquer: guiding CDCL SAT solvers by lookaheads
(HVC 2011).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from schedsolve.modelkit.formulas.proof import proof_lines
from schedsolve.runtime.errors import ClaimError

Cube = tuple[int, ...]
"""Literals in the order in which the formula was split by them."""


@dataclass(frozen=True)
class Part:
    """One of the cubes that another cube was split into.

    `size` is the number of variables that are still open in it among those that the formula may be split
    by, a measure of how hard the cube is; `closed` says whether unit propagation alone refutes it.
    """

    cube: Cube
    size: int
    closed: bool = False


@dataclass(frozen=True)
class CubeOutcome:
    """The outcome of a cube: it was split into parts, or refuted.

    `proof` is the packed proof of the refutation; None if none is kept.
    """

    parts: tuple[Part, ...] = ()
    proof: Mapping[str, Any] | None = None


def outcome_to_json(outcome: CubeOutcome) -> dict[str, Any]:
    """Return an outcome as JSON data."""
    return {"parts": [[list(p.cube), p.size, p.closed] for p in outcome.parts], "proof": outcome.proof}


def outcome_from_json(data: Any, cube: Cube) -> CubeOutcome:
    """Return the outcome of a cube from which `outcome_to_json` made the data.

    Raises
    ------
    ClaimError
        If it is none, or the parts are not all cases, each once.
    """
    try:
        parts = tuple(
            Part(tuple(_literals(one)), int(size), closed is True) for one, size, closed in data["parts"]
        )
        proof = None if data["proof"] is None else {str(key): value for key, value in data["proof"].items()}
    except (TypeError, ValueError, KeyError, AttributeError):
        raise ClaimError("this is no outcome of a cube") from None
    depth = len(cube)
    if parts and (len(parts) < 2 or any(part.cube[:depth] != cube for part in parts)):
        raise ClaimError("a cube is not split into all cases, each once")
    for _ in closing_order([part.cube[depth:] for part in parts]) if parts else ():
        pass
    return CubeOutcome(parts, proof)


@dataclass(frozen=True)
class CubeProof:
    """The lines of a cube's proof, unpacked on every iteration.

    `lemmas` are literals, the unit lemmas at the beginning of the proof; `packed` holds the other lines as
    `schedsolve.modelkit.formulas.proof` packs them.
    """

    lemmas: Sequence[int]
    packed: Mapping[str, Any]

    def __iter__(self) -> Iterator[str]:
        yield from (f"{literal} 0" for literal in self.lemmas)
        yield from proof_lines(self.packed)


class CubeStore(Protocol):
    """A store of the outcomes of cubes, from which an interrupted refutation resumes."""

    def outcomes(self, formula: str) -> Mapping[Cube, CubeOutcome]:
        """Return the outcomes of the cubes of a formula, which is identified by a hash of its clauses."""

    def add_outcome(self, formula: str, cube: Cube, outcome: CubeOutcome) -> None:
        """Store the outcome of a cube."""


def joined_proof(proofs: Mapping[Cube, Iterable[str]]) -> Iterator[str]:
    """Yield the lines of a refutation of a formula, given a refutation of it in every cube.

    The proof at the top of this module says why the result is a refutation.

    Parameters
    ----------
    proofs
        For every cube the lines of its proof (`proof.py`). Its lemmas follow by unit
        propagation from the formula, the cube's literals and the lemmas before them.

    Raises
    ------
    ClaimError
        If the cubes are not the leaves of a tree of cases.
    """
    for cube in closing_order(proofs.keys()):
        yield from _weakened(proofs[cube], cube) if cube in proofs else (_denial(cube),)


def closing_order(cubes: Collection[Cube]) -> Iterator[Cube]:
    """Yield the nodes of the tree whose leaves are the cubes, each after its two branches (step 3).

    Raises
    ------
    ClaimError
        If some case is covered by no cube or by more than one.
    """
    waiting: list[tuple[Cube, list[Cube] | None]] = [((), sorted(cubes, key=len))]
    while waiting:
        node, below = waiting.pop()
        if below is None or below == [node]:
            yield node
            continue
        depth = len(node)
        branches = {cube[depth] for cube in below if len(cube) > depth}
        if len(branches) != 2 or sum(branches) != 0 or len(below[0]) == depth:
            raise ClaimError(f"the cubes are not all cases, each once, where {_words(node)}")
        waiting.append((node, None))
        for literal in sorted(branches):
            waiting.append(((*node, literal), [cube for cube in below if cube[depth] == literal]))


def proofs_by_cube(evidence: Mapping[str, Any]) -> dict[Cube, CubeProof]:
    """Return the proof of each cube, from a refutation that holds them one by one.

    Parameters
    ----------
    evidence
        "cubes" lists for each cube its literals as "cube" and the packed proof; "lemmas" lists literals,
        the unit lemmas at the beginning of every proof.

    Raises
    ------
    ClaimError
        If the evidence does not have this form.
    """
    entries, lemmas = evidence.get("cubes"), _literals(evidence.get("lemmas"))
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise ClaimError('the proofs of cubes are a list of {"cube": literals, "proof": ..., "sha256": ...}')
    found: dict[Cube, CubeProof] = {}
    for entry in entries:
        cube = tuple(_literals(entry.get("cube")))
        if cube in found:
            raise ClaimError("a refutation has two proofs for one cube")
        found[cube] = CubeProof(lemmas, entry)
    return found


def _literals(data: Any) -> list[int]:
    if not isinstance(data, list) or not all(type(x) is int and x for x in data):
        raise ClaimError("cubes and lemmas are lists of literals")
    return data


def _words(node: Cube) -> str:
    return f"{' '.join(map(str, node))} holds" if node else "nothing is assumed"


def _denial(cube: Cube) -> str:
    return " ".join(map(str, (*(-literal for literal in cube), 0)))


def _weakened(lines: Iterable[str], cube: Cube) -> Iterator[str]:
    """Yield the lemmas of a cube's proof, each weakened by "or the cube does not hold" (steps 1, 2, 4)."""
    held, denied = {str(literal) for literal in cube}, {str(-literal) for literal in cube}
    end = _denial(cube)
    alive: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        deletion = line.startswith("d ")
        *literals, _ = line.removeprefix("d ").split()
        if not literals:
            break
        # A lemma that the cube satisfies derives nothing in it.
        if not held.isdisjoint(literals):
            continue
        lemma = [literal for literal in literals if literal not in denied]
        key = tuple(sorted(lemma))
        if deletion and not (key and alive[key]):
            continue
        alive[key] += -1 if deletion else 1
        yield " ".join((*(("d",) if deletion else ()), *lemma, end))
    yield end
    for key, count in alive.items() if cube else ():
        yield from (" ".join(("d", *key, end)) for _ in range(count) if key)
