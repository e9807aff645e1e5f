"""Replaying the refutations of all cubes of a formula.

One after the other, or several at a time where the caller shares them out.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from schedsolve.certify.propagation import replay_refutation
from schedsolve.modelkit.formulas.cubes import Cube, closing_order
from schedsolve.runtime.errors import ClaimError
from schedsolve.runtime.limits.budget import limit_of, spend

LINES_BETWEEN_REPORTS = 5_000
Share = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Generator[Any]]


@dataclass(frozen=True)
class Replays:
    """How the cubes of one proof are replayed.

    Attributes
    ----------
    share
        Does the calls of a function of a module with picklable arguments in other processes, and yields the
        values as they come; None: they are done here. It is used only where no budget holds, which counts
        what this process does.
    told
        Is told now and then how far a replay is.
    """

    share: Share | None = None
    told: Callable[[str], None] = lambda _: None


ALONE = Replays()
_in_use: ContextVar[Replays] = ContextVar("how cubes are replayed", default=ALONE)


@contextmanager
def replays(how: Replays) -> Iterator[None]:
    """Inside, proofs are replayed like this."""
    token = _in_use.set(how)
    try:
        yield
    finally:
        _in_use.reset(token)


def sharing() -> Share | None:
    """Return what does calls in other processes here, None where they are to be done in this one."""
    return _in_use.get().share if limit_of("lemmas") is None else None


def replay_in_cubes(
    clauses: Sequence[Sequence[int]], variable_count: int, proofs: Mapping[Cube, Iterable[str]]
) -> int:
    """Check that the proofs refute the formula in all cases; gives the number of lemmas.

    Parameters
    ----------
    clauses, variable_count
        The formula.
    proofs
        For every cube (a conjunction of literals) one that refutes the formula with the cube's literals as
        clauses, as in `replay_refutation`; picklable where there are several.

    Raises
    ------
    ClaimError
        For one that does not, and when the cubes are not all cases, each once.
    """
    if any(abs(literal) > variable_count for cube in proofs for literal in cube):
        raise ClaimError("a cube speaks of variables that the formula does not have")
    for _ in closing_order(proofs):
        pass
    how = _in_use.get()
    replayed = _shared if sharing() is not None and len(proofs) > 1 else _here
    lemmas = done = 0
    for done, count in enumerate(replayed(clauses, variable_count, proofs, how), 1):
        lemmas += count
        spend("lemmas", lemmas)
        how.told(f"{done} of {len(proofs)} cubes replayed, {lemmas} lemmas")
    if done != len(proofs):
        raise ClaimError(f"of {len(proofs)} cubes {done} were replayed")
    return lemmas


def _here(
    clauses: Sequence[Sequence[int]],
    variable_count: int,
    proofs: Mapping[Cube, Iterable[str]],
    how: Replays,
) -> Iterator[int]:
    """Yield the numbers of lemmas of the cubes, one replayed after the other."""
    for number, (cube, proof) in enumerate(proofs.items(), 1):
        lines = _watched(proof, f"cube {number} of {len(proofs)}", how.told)
        yield replay_refutation(_within(clauses, cube), variable_count, lines)


def _watched(lines: Iterable[str], name: str, told: Callable[[str], None]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        if number % LINES_BETWEEN_REPORTS == 0:
            told(f"{name}: {number} lines replayed")
        yield line


def _within(clauses: Sequence[Sequence[int]], cube: Cube) -> list[Sequence[int]]:
    return [*clauses, *([literal] for literal in cube)]


def _shared(
    clauses: Sequence[Sequence[int]],
    variable_count: int,
    proofs: Mapping[Cube, Iterable[str]],
    how: Replays,
) -> Iterator[int]:
    """Yield the numbers of lemmas of the cubes, as others bring them.

    Raises
    ------
    ClaimError
        For one that fails.
    """
    assert how.share is not None
    formula = pickle.dumps((clauses, variable_count))
    with closing(how.share(replay_cube, ((formula, *one) for one in proofs.items()))) as values:
        for replayed in values:
            if isinstance(replayed, str):
                raise ClaimError(replayed)
            yield replayed


@lru_cache(maxsize=1)
def _formula_of(pickled: bytes) -> tuple[Sequence[Sequence[int]], int]:
    clauses, variable_count = pickle.loads(pickled)
    return clauses, variable_count


def replay_cube(formula: bytes, cube: Cube, proof: Iterable[str]) -> int | str:
    """Return what another process does: replay the refutation of a cube.

    Gives the number of its lemmas, or what ClaimError says of it.

    Parameters
    ----------
    formula
        Clauses and the number of variables, pickled, so that a process reads them once for all its cubes.
    cube
        The literals of the cube.
    proof
        The lines of the proof.
    """
    clauses, variable_count = _formula_of(formula)
    try:
        return replay_refutation(_within(clauses, cube), variable_count, proof)
    except ClaimError as error:
        return str(error)
