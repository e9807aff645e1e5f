"""The parameters of the fat-tree: capacities by name or by table, and the timing."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

from schedsolve.modelkit.record import Parameter
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.number_reader import parse_json, whole_number

from .rules.tree import SHAPES, processor_count

TIMINGS = ("rounds", "clock")
LARGEST_CAPACITY = 10**9


def _capacity(value: Any, _: Network) -> str:
    if not isinstance(value, str) or value not in SHAPES:
        raise InputError(
            f"--capacity is one of {', '.join(SHAPES)}; not {value!r:.60} (a table of your own:"
            " --capacity-table FILE)"
        )
    return value


def _timing(value: Any, _: Network) -> str:
    if not isinstance(value, str) or value not in TIMINGS:
        raise InputError(f"--timing is rounds or clock, not {value!r:.60}")
    return value


def _table(value: Any, network: Network) -> list[int] | None:
    """Return the capacities w(1), w(2), w(4), ..., w(N), from a list or from the name of a file.

    A table may stop at w(N/2), as the whole tree has no channel; then w(N) is taken to be the same.

    Raises
    ------
    InputError
        If the table cannot be read or does not grow as it should.
    """
    processors = processor_count(network)
    if processors is None:
        return None
    table = value if isinstance(value, list) else _from_file(value)
    for w in table:
        if type(w) is not int or not 1 <= w <= LARGEST_CAPACITY:
            raise InputError(f"a capacity is a whole number from 1 to {LARGEST_CAPACITY}, not {w!r:.60}")
    heights = processors.bit_length()
    if len(table) == heights - 1:
        table = [*table, table[-1]]
    if len(table) != heights:
        wanted = ", ".join(f"w({1 << j})" for j in range(min(heights, 4))) + (
            f", ..., w({processors})" if heights > 4 else ""
        )
        raise InputError(
            f"the table of capacities has {len(table)} entries; here it has {heights}, {wanted}, the last one"
            " may be left out"
        )
    for j, (small, large) in enumerate(pairwise(table)):
        if not small <= large <= 2 * small:
            n = 1 << j
            raise InputError(
                f"the capacities must keep w(n) <= w(2n) <= 2 w(n), but w({n}) = {small} and w({2 * n}) ="
                f" {large}"
            )
    return table


def _from_file(value: Any) -> list[Any]:
    """Return the capacities in a file: a JSON list, or lines "n w(n)" for n = 1, 2, 4, ..."""
    if not isinstance(value, str):
        raise InputError(
            "--capacity-table takes the name of a file, or in JSON a list of w(1), w(2), w(4), ...; not"
            f" {value!r:.60}"
        )
    try:
        text = Path(value).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise InputError(f"{value}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if text.lstrip().startswith("["):
        try:
            table = parse_json(text)
        except InputError as error:
            raise InputError(f"{value}: not a JSON list: {error}") from None
        return list(table)
    lines = [line.split("#")[0].split() for line in text.splitlines()]
    rows = [words for words in lines if words]
    for j, words in enumerate(rows):
        if (
            len(words) != 2
            or whole_number(words[0], text=True) != 1 << j
            or whole_number(words[1], 0, 10**12, text=True) is None
        ):
            raise InputError(
                f'{value}: line {j + 1} should be "{1 << j} w({1 << j})", with a whole number; not'
                f" {' '.join(words)!r:.60}"
            )
    if not rows:
        raise InputError(
            f'{value}: the table is empty; it is a JSON list, or lines "n w(n)" for n = 1, 2, 4, ...'
        )
    return [int(words[1]) for words in rows]


CAPACITY = Parameter(
    "capacity",
    "|".join(SHAPES),
    "w(n), what a channel above n processors carries in a step: 1, log2 n + 1, floor(n^(1/2)), floor(n^(2/3))"
    " or n (default: const)",
    _capacity,
    lambda network: None,
)
CAPACITY_TABLE = Parameter(
    "capacity_table",
    "FILE",
    'capacities of your own in place of --capacity: a JSON list of w(1), w(2), w(4), ... or lines "n w(n)"',
    _table,
    lambda network: None,
)
TIMING = Parameter(
    "timing",
    "|".join(TIMINGS),
    "rounds: a round lasts until all its messages have arrived; clock: messages are sent at any time"
    " (default: clock)",
    _timing,
    lambda network: "clock",
)
