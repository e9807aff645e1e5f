"""The one reader of numbers that strangers write, in files and in options: bounded in length, so that a short
text stands for no huge number.

Exact numbers are whole numbers, fractions such as "4/3", and decimals such as "0.5". Digits are those of
ASCII; signs other than a leading minus, blanks, underscores and, but where an option allows them, exponents
are refused, and so are NaN and infinities. JSON is read here too, as its numbers are.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import inf, isfinite
from typing import Any

from schedsolve.errors import InputError, shown

MOST_DIGITS = 1000
"""The most digits of a whole number, a numerator, a denominator, and before and behind a point together."""
MOST_LEVELS = 100
"""How deep lists and objects of a JSON file may be nested."""

_DIGITS = f"[0-9]{{1,{MOST_DIGITS}}}"
_EXACT = re.compile(rf"(-?{_DIGITS})(?:/({_DIGITS})|\.({_DIGITS}))?")
_MEASURED = re.compile(r"(-?[0-9]{0,30})(?:\.([0-9]{1,30}))?[eE]([+-]?[0-9]{1,2})|(-?)\.([0-9]{1,30})")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_LONG = re.compile(f"[0-9]{{{MOST_DIGITS + 1}}}")
_LIMIT = 10**MOST_DIGITS


def whole_number(
    value: Any, least: int | None = 0, most: int | None = None, *, text: bool = False
) -> int | None:
    """The whole number that a value is, from `least` to `most` where these are given; None for anything else.

    text: whether digits as text are one too, as in options. True and False are none.
    """
    if type(value) is int:
        number = value
    elif text and isinstance(value, str) and re.fullmatch(f"-?{_DIGITS}", value):
        number = int(value)
    else:
        return None
    if not -_LIMIT < number < _LIMIT:
        return None
    return None if (least is not None and number < least) or (most is not None and number > most) else number


def exact_number(value: Any, *, decimal: bool = False) -> Fraction | None:
    """The number that a value is exactly: an integer, a fraction, or text such as "7", "-4/3" or "0.5"; None
    for anything else, a denominator of 0 too.

    decimal: whether a float stands for the decimal that it is written as.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value) if -_LIMIT < value < _LIMIT else None
    if isinstance(value, Fraction):
        return value
    text = repr(value) if decimal and isinstance(value, float) else value
    match = _EXACT.fullmatch(text) if isinstance(text, str) else None
    return None if match is None else _fraction(*match.groups(""))


def _fraction(whole: str, denominator: str, behind: str) -> Fraction | None:
    """The number with these digits; "" for what it does not have."""
    if len(whole.lstrip("-") + behind) > MOST_DIGITS:
        return None
    below = int(denominator) if denominator else 10 ** len(behind)
    return Fraction(int(whole + behind), below) if below else None


def float_number(text: str) -> float | None:
    """The finite number that digits as text are, with a sign, a point and an exponent as other programs write
    them; None for anything else.
    """
    number = float(text) if len(text) <= MOST_DIGITS and _FLOAT.fullmatch(text) else None
    return None if number is None or not isfinite(number) else number


def duration(value: Any) -> float | None:
    """The number of seconds, 0 or more, that a value of JSON or TOML is; None for anything else."""
    number = value if isinstance(value, float) else whole_number(value, 0, 10**15)
    return None if number is None or not 0 <= number < inf else 1.0 * number


def measured_number(text: str) -> Fraction | None:
    """The number that an option gives, exactly: as `exact_number`, or with an exponent of two digits at most,
    as 5e-6, or with nothing before its point; None for anything else.
    """
    match = _MEASURED.fullmatch(text)
    if match is None:
        return exact_number(text)
    whole, behind, exponent, sign, bare = match.groups()
    if bare is not None:
        return exact_number(f"{sign}0.{bare}")
    if whole in ("", "-"):
        if behind is None:
            return None
        whole += "0"
    mantissa = exact_number(whole if behind is None else f"{whole}.{behind}")
    return None if mantissa is None else mantissa * Fraction(10) ** int(exponent)


def parse_json(text: str, *, strict: bool = False) -> Any:
    """The data in a JSON text. strict: whether NaN and its like, and a key twice in one object, are refused.

    Raises InputError, which says why, for text that is no JSON, a number of more than `MOST_DIGITS` digits,
    and nesting deeper than `MOST_LEVELS`.
    """
    try:
        data = json.loads(
            text,
            object_pairs_hook=_once if strict else None,
            parse_constant=_no_such_number if strict else None,
            # The search is fast, the call for each number is not.
            parse_int=_bounded if _LONG.search(text) else None,
        )
    except InputError:
        raise
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        raise InputError(str(error)) from None
    refuse_deep(data)
    return data


def refuse_deep(data: Any) -> None:
    """Raise InputError when lists and objects in JSON data are nested deeper than `MOST_LEVELS`."""
    level = [data] if isinstance(data, dict | list) else []
    for _ in range(MOST_LEVELS):
        level = [inner for outer in level for inner in _members(outer) if isinstance(inner, dict | list)]
        if not level:
            return
    raise _too_deep()


def _members(data: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return data.values() if isinstance(data, dict) else data


def _too_deep() -> InputError:
    return InputError(f"lists and objects are nested in it more than {MOST_LEVELS} deep")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise InputError(f"the key {shown(twice)} stands in one object twice")
    return found


def _no_such_number(text: str) -> None:
    raise InputError(f"{text} is no number of JSON")


def _bounded(text: str) -> int:
    if len(text.lstrip("-")) > MOST_DIGITS:
        raise InputError(f"a number in it has more than {MOST_DIGITS} digits")
    return int(text)
