"""Functions compiled by numba: what they are compiled with, bit sets in rows of words, and random numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Words = npt.NDArray[np.uint64]

WORD, LOG_WORD = 64, 6
"""The bits of a word of a bit set, and their logarithm."""

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function, **options: Any) -> Function:
    """Return a function compiled when it is first called; with no folder to write, in every process."""
    try:
        return cast(Function, numba.njit(function, cache=True, error_model="numpy", **options))
    except RuntimeError:
        return cast(Function, numba.njit(function, error_model="numpy", **options))


def compiled_within(function: Function) -> Function:
    """Return a function that only compiled ones call: as `compiled` does, without an entry for others."""
    return compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def int64(number: int) -> int:
    """Return a number for arguments: for every Python constant among them numba compiles once more."""
    return cast(int, np.int64(number))


ZERO = int64(0)


@compiled_within
def ones(word: np.uint64) -> int:
    """Return how many bits of a word are set."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    pairs = word & np.uint64(0x3333333333333333)
    pairs += (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    eights = (pairs + (pairs >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((eights * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled_within
def bits(sets: Words, kind: int, level: int, x: int) -> int:
    """Return how many bits are set in a set."""
    total = 0
    for k in range(sets.shape[3]):
        total += ones(sets[kind, level, x, k])
    return total


@compiled_within
def holds(sets: Words, kind: int, level: int, x: int, i: int) -> bool:
    """Return whether a set holds a number."""
    return bool((sets[kind, level, x, i >> LOG_WORD] >> np.uint64(i & (WORD - 1))) & np.uint64(1))


@compiled_within
def drawn(random: Words) -> float:
    """Return a random number from 0 to 1: Marsaglia's xorshift, multiplied (Vigna)."""
    x = random[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    random[0] = x
    return float((x * np.uint64(2685821657736338717)) >> np.uint64(11)) / 9007199254740992.0


@compiled_within
def below(random: Words, most: int) -> int:
    """Return a random whole number from 0 to most - 1."""
    return int(drawn(random) * most)
