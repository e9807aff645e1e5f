"""The only reader of numbers in untrusted files and options, which limits their length.

Exact numbers are integers, fractions such as "4/3", and decimals such as "0.5". Digits are ASCII; signs
other than a leading minus, blanks, underscores, NaN and infinities are refused, and so are exponents except
where an option allows them. JSON is parsed here too, because its numbers are.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import inf, isfinite
from numbers import Integral
from typing import Any

from schedsolve.runtime.errors import InputError, shown

MOST_DIGITS = 1000
"""The most digits of an integer, a numerator, a denominator, and of a decimal in total."""
MOST_LEVELS = 100
"""The deepest nesting of lists and objects in a JSON file."""

_DIGITS = f"[0-9]{{1,{MOST_DIGITS}}}"
_EXACT = re.compile(rf"(-?{_DIGITS})(?:/({_DIGITS})|\.({_DIGITS}))?")
_BYTES = re.compile(r"([^ ]+?) ?(?:([KMGTPkmgtp])(i)?[Bb]|[Bb])?", re.ASCII)
_MEASURED = re.compile(r"(-?[0-9]{0,30})(?:\.([0-9]{1,30}))?[eE]([+-]?[0-9]{1,2})|(-?)\.([0-9]{1,30})")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_LONG = re.compile(f"[0-9]{{{MOST_DIGITS + 1}}}")
_LIMIT = 10**MOST_DIGITS


def plain_integer(value: Any) -> Any:
    """Return a whole number of numpy or pandas as one of Python, and anything else as it is."""
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value


def whole_number(
    value: Any, least: int | None = 0, most: int | None = None, *, text: bool = False
) -> int | None:
    """Return the value as an integer, or None if it is not one.

    Parameters
    ----------
    value
        A value of JSON or an option; True and False are not integers.
    least
        The least integer allowed; None for no limit.
    most
        The greatest integer allowed; None for no limit.
    text
        Whether digits as text are an integer too, as in options.
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
    """Return the exact value of an integer, a fraction or a decimal, or None for anything else.

    Parameters
    ----------
    value
        The value: an integer, a fraction, or text such as "7", "-4/3" or "0.5"; a denominator of 0 gives
        None.
    decimal
        Whether a float stands for the decimal that it is written as.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value) if -_LIMIT < value < _LIMIT else None
    if isinstance(value, Fraction):
        return value
    text = repr(value) if decimal and isinstance(value, float) else value
    match = _EXACT.fullmatch(text) if isinstance(text, str) else None
    return None if match is None else _fraction(*match.groups(""))


def _fraction(whole: str, denominator: str, behind: str) -> Fraction | None:
    """Return the number with these digits; a part that the number lacks is ""."""
    if len(whole.lstrip("-") + behind) > MOST_DIGITS:
        return None
    below = int(denominator) if denominator else 10 ** len(behind)
    return Fraction(int(whole + behind), below) if below else None


def float_number(text: str) -> float | None:
    """Return a finite float from text as other programs write it, or None for anything else."""
    number = float(text) if len(text) <= MOST_DIGITS and _FLOAT.fullmatch(text) else None
    return None if number is None or not isfinite(number) else number


def duration(value: Any) -> float | None:
    """Return a nonnegative number of seconds in JSON or TOML, or None for anything else."""
    number = value if isinstance(value, float) else whole_number(value, 0, 10**15)
    return None if number is None or not 0 <= number < inf else 1.0 * number


def measured_number(text: str) -> Fraction | None:
    """Return the exact number that an option gives, or None for anything else.

    Besides the forms of `exact_number`, it may have an exponent of at most two digits, as in 5e-6, or no
    digit before its point.
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
    """Return the data in a JSON text.

    Parameters
    ----------
    text
        The text.
    strict
        Whether to refuse NaN, infinities, and duplicate keys in one object.

    Raises
    ------
    InputError
        With the reason, if the text is not JSON, has a number of more than `MOST_DIGITS` digits, or is
        nested deeper than `MOST_LEVELS`.
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
    """Raise InputError if lists and objects in JSON data are nested deeper than `MOST_LEVELS`."""
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


def byte_count(text: str) -> int | None:
    """Return the whole number of bytes, 1 or more, that an option gives.

    As digits, or a number with a unit, such as "1KB", "64MB", "1.5 GB" (powers of 1000) or "1MiB" (powers of
    1024); None for anything else.

    ```pycon
    >>> byte_count("64MB"), byte_count("1MiB"), byte_count("1e6"), byte_count("1.5KB"), byte_count("64M")
    (64000000, 1048576, 1000000, 1500, None)

    ```
    """
    match = _BYTES.fullmatch(text)
    value = None if match is None else measured_number(match[1])
    if match is None or value is None:
        return None
    power = "KMGTP".find((match[2] or " ")[0].upper()) + 1
    value *= (1024 if match[3] else 1000) ** power
    return int(value) if value.denominator == 1 and 1 <= value < 10**18 else None
