"""Expressions: values by hand, exact numbers, and nothing that runs as Python."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log2
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedsolve.experiments.sweeps.expressions import UndecidedError, compiled
from schedsolve.runtime.errors import InputError

COLUMNS = ("n", "value", "task", "tree", "girth")


def evaluated(text: str, *row: Any) -> Any:
    function, _ = compiled(text, COLUMNS)
    return function(row or (5, Fraction(7, 6), "gossip", True, None))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2*n - 4", 6),
        ("value*6", 7),
        ("n/2", Fraction(5, 2)),
        ("n//2 + n % 2", 3),
        ("-n**2", -25),
        ("0.1 + 0.2 == 0.3", True),
        ("1 < n <= 5", True),
        ("task == 'gossip' and tree", True),
        ("not tree or n > 4", True),
        ("n in (4, 5)", True),
        ("task not in ['broadcast']", True),
        ("min(n, 3) + max(1, 2)", 5),
        ("ceil(log2(n)) + floor(log2(n))", 5),
        ("ceil(value)", 2),
        ("log2(8)", 3),
        ("log2(1/8)", -3),
        ("girth", None),
        ("girth + 1", None),
        ("girth < 3 or girth >= 3", False),
        ("girth == None", True),
        ("girth != None", False),
        ("2**-2", Fraction(1, 4)),
    ],
)
def test_values(text: str, value: Any) -> None:
    """Exact, and of the type that a whole number has."""
    assert evaluated(text) == value
    assert not isinstance(evaluated(text), float)


def test_the_columns_that_are_read() -> None:
    """And no others."""
    assert compiled("value <= 2*n or tree", COLUMNS)[1] == {"value", "n", "tree"}


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "10**10**10",
        "9**64**64",
        "(2**64)**64**5",
        "n.__class__",
        "n.real",
        "[x for x in (1, 2)]",
        "lambda: 0",
        "(n := 3)",
        "f'{n}'",
        "n if tree else 0",
        "task[0]",
        "open('f')",
        "min(*n)",
        "min(n, key=n)",
        "min()",
        "ceil(n, 2)",
        "b'n'",
        "1j",
        "...",
        "n is 5",
        "n << 70",
        "unknown",
        "n +",
        "",
        "n; n",
        "n = 3",
        "(" * 400 + "n" + ")" * 400,
        "+".join(["n"] * 400),
        "n\x00",
        "1e400000",
    ],
)
def test_refused_in_one_line(text: str) -> None:
    """By its form, or when it is computed; never run, and quickly."""
    with pytest.raises(InputError) as raised:
        evaluated(text)
    assert len(str(raised.value)) < 500


@pytest.mark.parametrize(
    "text", ["1//0", "n / 0", "n % (n - 5)", "0 ** -1", "log2(0)", "ceil(log2(5 - n))", "floor(log2(-1)) > 0"]
)
def test_arithmetic_without_a_result_is_refused(text: str) -> None:
    """It is no missing value, which would leave out a row in silence."""
    with pytest.raises(InputError, match=r"division by 0|logarithm is of a number above 0"):
        evaluated(text)
    assert evaluated(f"n != 5 and {text} > 0") is False


@pytest.mark.parametrize("text", ["task + 1", "task < 3", "-task", "ceil(task)", "log2(task)", "n in task"])
def test_kinds_that_do_not_meet(text: str) -> None:
    """Texts are no numbers."""
    with pytest.raises(InputError):
        evaluated(text)


@given(st.fractions(min_value=Fraction(1, 5000), max_value=5000))
def test_rounded_logarithms_are_exact(x: Fraction) -> None:
    """Next to a power of two as well."""
    up, down = evaluated("ceil(log2(n))", x), evaluated("floor(log2(n))", x)
    assert Fraction(2) ** down <= x <= Fraction(2) ** up
    assert up - down in (0, 1)
    if abs(log2(x) - round(log2(x))) > 1e-9:
        assert (up, down) == (ceil(log2(x)), floor(log2(x)))


def test_a_comparison_too_close_for_floats() -> None:
    """It is said, not guessed."""
    with pytest.raises(UndecidedError):
        evaluated("log2(3) + log2(3) == log2(9)")
    assert evaluated("log2(n) < 3") is True
