"""The reader of numbers: what it takes, what it refuses, and that nothing short takes it long."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.number_reader import (
    MOST_DIGITS,
    MOST_LEVELS,
    duration,
    exact_number,
    float_number,
    measured_number,
    parse_json,
    whole_number,
)

NO_NUMBERS: list[Any] = [
    None, True, False, 1.5, float("nan"), float("inf"), [], {}, "", "x", "1e9", "1e999999999", "1E5", "nan",
    "inf", "+1", " 1", "1 ", "1_0", "\u0663", "\uff11", "\u00b2", "1/0", "1/-2", "1/2/3", "1.", ".5", "1.5/2",
    "0x10", "9" * (MOST_DIGITS + 1), "1/" + "3" * (MOST_DIGITS + 1), "0." + "3" * MOST_DIGITS,
    10**MOST_DIGITS,
]  # fmt: skip


@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda value: repr(value)[:20])
def test_what_is_no_exact_number(value: Any) -> None:
    """Neither as it stands nor as text; floats are none where an exact number is wanted."""
    assert exact_number(value) is None
    assert whole_number(value, None, text=True) is None


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (0, 0),
        (-7, -7),
        ("12", 12),
        ("-12", -12),
        ("007", 7),
        ("6/4", Fraction(3, 2)),
        ("-1/3", Fraction(-1, 3)),
        ("0.25", Fraction(1, 4)),
        ("-0.5", Fraction(-1, 2)),
        (Fraction(2, 3), Fraction(2, 3)),
        ("9" * MOST_DIGITS, 10**MOST_DIGITS - 1),
    ],
)
def test_exact_numbers(value: Any, number: Any) -> None:
    """Whole numbers, fractions and decimals, exactly."""
    assert exact_number(value) == number


def test_a_float_stands_for_its_decimal_where_it_may() -> None:
    """As bandwidths of JSON may be 0.1; what a float writes with an exponent stays refused."""
    assert exact_number(0.1, decimal=True) == Fraction(1, 10)
    assert [exact_number(x, decimal=True) for x in (1e-9, float("nan"), float("inf"), True)] == [None] * 4


def test_whole_numbers() -> None:
    """Within their limits, as text where options give them, and never a truth."""
    assert [whole_number(x, 1, 3) for x in (0, 1, 3, 4, True, "2")] == [None, 1, 3, None, None, None]
    assert [whole_number(x, 1, 3, text=True) for x in ("0", "2", "02")] == [None, 2, 2]


def test_measured_numbers() -> None:
    """Options may have exponents of two digits, and nothing before the point."""
    assert measured_number("5e-6") == Fraction(5, 10**6)
    assert measured_number("2.5E+3") == 2500
    assert measured_number(".5") == measured_number("0.5") == measured_number("1/2") == Fraction(1, 2)
    assert measured_number(".5e1") == 5
    refused = ("1e100", "1e999999999", "e5", "-e5", ".", "1/2e3", "1e", "1_0e1", "\u0663e1", "nan", "")
    assert [measured_number(text) for text in refused] == [None] * len(refused)


def test_floats_of_other_programs() -> None:
    """As solvers write them, but finite and in ASCII."""
    assert [float_number(text) for text in ("1", "-1.5", "+1.", ".5", "1e-09")] == [1, -1.5, 1, 0.5, 1e-9]
    refused = ("nan", "inf", "1e999", "1_0", " 1", "\u0663", "0x1p3", "1e9999", "9" * 2000)
    assert [float_number(text) for text in refused] == [None] * len(refused)


def test_durations() -> None:
    """Seconds, 0 or more."""
    assert [duration(x) for x in (0, 2, 2.5)] == [0, 2, 2.5]
    assert [duration(x) for x in (-1, True, "2", float("inf"), float("nan"), 10**400)] == [None] * 6


def test_json() -> None:
    """Long numbers and deep nesting are refused, long text and what is as long as it may be is not."""
    data = [10**MOST_DIGITS - 1, -(10**MOST_DIGITS) + 1, "9" * 5000, [1.5, {"a": None}]]
    assert parse_json(json.dumps(data)) == data
    assert parse_json("[" * MOST_LEVELS + "]" * MOST_LEVELS)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[" + "9" * (MOST_DIGITS + 1) + "]", "more than 1000 digits"),
        ("-" + "9" * 5000, "more than 1000 digits"),
        ("[" * (MOST_LEVELS + 1) + "]" * (MOST_LEVELS + 1), "more than 100 deep"),
        ('{"a":' * 200 + "1" + "}" * 200, "more than 100 deep"),
        ("[" * 100_000, "more than 100 deep"),
        ("[NaN]", "NaN is no number"),
        ('{"a": 1, "a": 2}', "twice"),
        ("{", "Expecting"),
        ("", "Expecting"),
    ],
    ids=lambda text: text[:20],
)
def test_refused_json(text: str, reason: str) -> None:
    """In one line that says why."""
    with pytest.raises(InputError, match=reason) as refusal:
        parse_json(text, strict=True)
    assert "\n" not in str(refusal.value)
