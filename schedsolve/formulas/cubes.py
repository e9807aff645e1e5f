"""A formula split into cases, and the refutations of all cases joined into one of the formula.

A cube is a conjunction of literals. A formula is split by a variable into the cube in which it is true and
that in which it is false, each of these by another, and so on; the cubes at the ends of this tree are
refuted one by one, each as the formula with the cube's literals as clauses.

Source: Heule, Kullmann, Wieringa, Biere, Cube and conquer: guiding CDCL SAT solvers by lookaheads (HVC 2011).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from schedsolve.errors import ClaimError
from schedsolve.formulas.proof import proof_lines

Cube = tuple[int, ...]
"""Literals in the order in which the formula was split by them."""


@dataclass(frozen=True)
class Part:
    """A cube that another was split into.

    size: how many variables that the formula may be split by are open in it still, which says how hard it is.
    closed: whether unit propagation alone refutes it.
    """

    cube: Cube
    size: int
    closed: bool = False


@dataclass(frozen=True)
class Fate:
    """What became of a cube: it was split in parts, or else refuted.

    proof: the packed proof of the refutation; None where none is kept.
    """

    parts: tuple[Part, ...] = ()
    proof: Mapping[str, Any] | None = None


def fate_to_json(fate: Fate) -> dict[str, Any]:
    """A fate as JSON data."""
    return {"parts": [[list(p.cube), p.size, p.closed] for p in fate.parts], "proof": fate.proof}


def fate_from_json(data: Mapping[str, Any]) -> Fate:
    """The fate that `fate_to_json` made these data of."""
    parts = (Part(tuple(cube), size, closed) for cube, size, closed in data["parts"])
    return Fate(tuple(parts), data["proof"])


@dataclass(frozen=True)
class CubeProof:
    """The lines of a cube's proof, unpacked whenever they are wanted.

    lemmas: literals that begin it. packed: the others, as `schedsolve.formulas.proof` packs them.
    """

    lemmas: Sequence[int]
    packed: Mapping[str, Any]

    def __iter__(self) -> Iterator[str]:
        yield from (f"{literal} 0" for literal in self.lemmas)
        yield from proof_lines(self.packed)


class CubeStore(Protocol):
    """Keeps what became of cubes, so that a refutation that was stopped goes on from there."""

    def fates(self, formula: str) -> Mapping[Cube, Fate]:
        """What became of the cubes of a formula, named by a hash of its clauses."""

    def add_fate(self, formula: str, cube: Cube, fate: Fate) -> None:
        """Keep what became of a cube."""


def joined_proof(proofs: Mapping[Cube, Iterable[str]]) -> Iterator[str]:
    """The lines of a proof that refutes a formula, from proofs that refute it in every cube.

    A lemma that follows by unit propagation in a cube does so without it once it says "or the cube does not
    hold", as every lemma before it does. The last lemma of a cube is that it does not hold; of a node of the
    tree it follows from those of its two branches. Lemmas that a cube leaves behind are deleted, but no
    clauses of the formula, which other cubes need.

    proofs: for every cube the lines of its proof (`schedsolve.formulas.proof`), of lemmas that follow by unit
    propagation from the formula, the cube's literals, and the lemmas before. Raises ClaimError when the cubes
    are not the ends of a tree.
    """
    for cube in closing_order(proofs.keys()):
        yield from _weakened(proofs[cube], cube) if cube in proofs else (_denial(cube),)


def closing_order(cubes: Collection[Cube]) -> Iterator[Cube]:
    """The cubes, and the nodes of their tree, each behind its two branches. Raises ClaimError when there is a
    case that no cube or more than one covers.
    """
    waiting: list[tuple[Cube, list[Cube] | None]] = [((), sorted(cubes, key=len))]
    while waiting:
        node, below = waiting.pop()
        if below is None or below == [node]:
            yield node
            continue
        depth = len(node)
        branches = {cube[depth] for cube in below if len(cube) > depth}
        if not below or len(below[0]) == depth or len(branches) != 2 or sum(branches) != 0:
            raise ClaimError(f"the cubes are not all cases, each once, where {_words(node)}")
        waiting.append((node, None))
        for literal in sorted(branches):
            waiting.append(((*node, literal), [cube for cube in below if cube[depth] == literal]))


def proofs_by_cube(evidence: Mapping[str, Any]) -> dict[Cube, CubeProof]:
    """Of a refutation that holds the proofs of cubes one by one each of them.

    evidence: "cubes", for each the literals as "cube" and the packed proof; and "lemmas", literals that begin
    every one of them. Raises ClaimError when it is not like this.
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
    """The lemmas of a cube's proof, each or the cube does not hold, until the cube does not."""
    held, denied = {str(literal) for literal in cube}, {str(-literal) for literal in cube}
    end = _denial(cube)
    alive: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        deletion = line.startswith("d ")
        *literals, _ = (line[2:] if deletion else line).split()
        if not literals:
            break
        # What the cube makes true needs no saying, and helps nobody.
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
