"""Expressions over the columns of a table: `value <= 2*n - 4 and not tree`.

An expression is parsed into a Python syntax tree, of which only a few kinds of nodes are allowed, and
translated into plain functions; nothing is ever executed as Python. Numbers are integers and exact
fractions. A logarithm is exact if it is an integer, and under ceil and floor; otherwise it is a float,
and a comparison that a rounding error could reverse is refused.

A missing value (None) makes every arithmetic result missing, and a comparison false, or undecided if the
caller asks for that; only == None and != None compare with it. Arithmetic without a result, such as a
division by 0 or the logarithm of 0, is refused, because a row that is silently left out would pass for
one that was compared. `and` and `or` evaluate their second part only if the first does not decide.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import Any

from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import measured_number

Row = Sequence[Any]
Function = Callable[[Row], Any]

LONGEST_EXPRESSION, MOST_NODES = 2000, 300
LARGEST_EXPONENT, LARGEST_BITS = 64, 20_000
"""The greatest exponent, and the greatest size of a number in bits."""
SMALL = 1 << 60
NEARLY = 1e-9
"""The relative difference below which floats are not compared."""
FUNCTIONS = ("min", "max", "ceil", "floor", "log2")
HELP = f"columns, numbers, texts, + - * / // % **, comparisons, in, and, or, not, {', '.join(FUNCTIONS)}"


class UndecidedError(InputError):
    """A comparison cannot be decided: its floats are too close, or a value is missing."""


def compiled(text: str, columns: Sequence[str], *, strict: bool = False) -> tuple[Function, frozenset[str]]:
    """Return the function from a row to the expression's value, and the columns that it reads.

    Parameters
    ----------
    text
        The expression.
    columns
        The names of the columns, in the order of the values in a row.
    strict
        Whether the function raises UndecidedError for a comparison with a missing value.

    Raises
    ------
    InputError
        In one line, if the text is not such an expression. The function raises it if numbers become too
        large, or if two kinds of values cannot be combined.
    """
    if len(text) > LONGEST_EXPRESSION:
        raise InputError(f"an expression has at most {LONGEST_EXPRESSION} characters")
    try:
        text = text.strip()
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise InputError(f"{shown(text)} is no expression; there are {HELP}") from None
    if sum(1 for _ in ast.walk(tree)) > MOST_NODES:
        raise InputError(f"{shown(text)} is too long; an expression has at most {MOST_NODES} parts")
    reader = _Reader(text, {name: number for number, name in enumerate(columns)}, strict)
    function = reader.read(tree.body)

    def computed(row: Row) -> Any:
        try:
            return function(row)
        except TypeError:
            raise InputError(f"{shown(text)} compares or computes with values of different kinds") from None

    return computed, frozenset(reader.used)


class _Reader:
    """Translates a syntax tree into functions, node by node, and records the columns that it reads."""

    def __init__(self, text: str, columns: Mapping[str, int], strict: bool) -> None:
        self.text = text
        self.columns = columns
        self.strict = strict
        self.used: set[str] = set()

    def read(self, node: ast.expr) -> Function:
        """Return the function of a node.

        Raises
        ------
        InputError
            If the node is not allowed.
        """
        match node:
            case ast.Constant():
                found = self._constant(node)
            case ast.Name(id=name):
                found = self._column(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                found = _lifted(lambda a: -_number(a), self.read(operand))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                found = _negated(self.read(operand))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
                found = _lifted(_OPERATIONS[type(op)], self.read(left), self.read(right))
            case ast.BoolOp(op=op, values=values):
                found = _joined(all if isinstance(op, ast.And) else any, [self.read(v) for v in values])
            case ast.Compare(left=left, ops=ops, comparators=others):
                found = self._comparison([left, *others], ops)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                found = _joined(tuple, [self.read(element) for element in elements])
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                found = self._call(name, arguments)
            case _:
                raise InputError(
                    f"{shown(ast.unparse(node))} is not allowed in an expression; there are {HELP}"
                )
        return found

    def _constant(self, node: ast.Constant) -> Function:
        value: Any = node.value
        if isinstance(value, float):
            text = ast.get_source_segment(self.text, node) or ""
            value = measured_number(text)
            if value is None:
                raise InputError(f"{shown(text)} is no number for an expression")
        if not isinstance(value, int | str | Fraction | None):
            raise InputError(f"{shown(value)} is not allowed in an expression; there are {HELP}")
        value = _bounded(value)
        return lambda _: value

    def _column(self, name: str) -> Function:
        number = self.columns.get(name)
        if number is None:
            raise InputError(f"there is no column {shown(name)}; the columns are {', '.join(self.columns)}")
        self.used.add(name)
        place: int = number
        return lambda row: row[place]

    def _comparison(self, sides: Sequence[ast.expr], ops: Sequence[ast.cmpop]) -> Function:
        values = [self.read(side) for side in sides]
        if any(type(op) not in _COMPARISONS for op in ops):
            raise InputError(f"an expression compares with == != < <= > >= and in, not as {shown(self.text)}")
        tests = [_COMPARISONS[type(op)] for op in ops]
        if self.strict and not any(isinstance(s, ast.Constant) and s.value is None for s in sides):
            tests = [_strict(test) for test in tests]
        if len(tests) == 1:
            (test,), (left, right) = tests, values
            return lambda row: test(left(row), right(row))

        def chained(row: Row) -> bool:
            found = [value(row) for value in values]
            return all(test(found[i], found[i + 1]) for i, test in enumerate(tests))

        return chained

    def _call(self, name: str, arguments: Sequence[ast.expr]) -> Function:
        if name not in FUNCTIONS:
            raise InputError(f"there is no function {shown(name)}; there are {', '.join(FUNCTIONS)}")
        parts = [self.read(argument) for argument in arguments]
        if name in ("min", "max"):
            if not parts:
                raise InputError(f"{name} takes something to choose from")
            chosen: Callable[..., Any] = min if name == "min" else max
            return _lifted(lambda *values: chosen(values), *parts)
        if len(parts) != 1:
            raise InputError(f"{name} takes one value")
        match arguments[0]:
            case ast.Call(func=ast.Name(id="log2"), args=[inner], keywords=[]) if name != "log2":
                return _lifted(_ceil_log2 if name == "ceil" else _floor_log2, self.read(inner))
        rounding: Mapping[str, Callable[[Any], Any]]
        rounding = {"ceil": math.ceil, "floor": math.floor, "log2": _log2}
        return _lifted(rounding[name], parts[0])


def _negated(part: Function) -> Function:
    return lambda row: not part(row)


def _joined(join: Callable[[Iterable[Any]], Any], parts: Sequence[Function]) -> Function:
    return lambda row: join(part(row) for part in parts)


def _lifted(operation: Callable[..., Any], *parts: Function) -> Function:
    """Return the operation on the values of the parts, missing if one of them is missing."""
    if len(parts) == 2:
        left, right = parts

        def binary(row: Row) -> Any:
            a, b = left(row), right(row)
            return None if a is None or b is None else operation(a, b)

        return binary

    def applied(row: Row) -> Any:
        values = [part(row) for part in parts]
        return None if None in values else operation(*values)

    return applied


def _bounded(value: Any) -> Any:
    """Return the value, with a fraction of denominator 1 as an integer.

    Raises
    ------
    InputError
        If the number is too large.
    """
    if isinstance(value, Fraction):
        if max(abs(value.numerator), value.denominator).bit_length() > LARGEST_BITS:
            raise InputError("a number in the expression is too large")
        return value.numerator if value.denominator == 1 else value
    if isinstance(value, int) and value.bit_length() > LARGEST_BITS:
        raise InputError("a number in the expression is too large")
    return value


def _number(value: Any) -> Any:
    if not isinstance(value, int | Fraction | float):
        raise TypeError
    return value


def _arithmetic(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def computed(a: Any, b: Any) -> Any:
        if type(a) is int and type(b) is int:
            found = operation(a, b)
            return found if -SMALL < found < SMALL else _bounded(found)
        return _bounded(operation(_number(a), _number(b)))

    return computed


def _divisor(b: Any) -> Any:
    if not _number(b):
        raise InputError("a division by 0 has no result; `X != 0 and ...` leaves out the rows where X is 0")
    return b


def _quotient(a: Any, b: Any) -> Any:
    _divisor(b)
    exact = isinstance(_number(a), int | Fraction) and isinstance(_number(b), int | Fraction)
    return _bounded(Fraction(a) / Fraction(b)) if exact else a / b


def _power(a: Any, b: Any) -> Any:
    if not isinstance(b, int) or abs(b) > LARGEST_EXPONENT:
        raise InputError(f"an exponent is a whole number up to {LARGEST_EXPONENT}, not {shown(b)}")
    if isinstance(_number(a), int | Fraction):
        if max(abs(Fraction(a).numerator), Fraction(a).denominator).bit_length() * abs(b) > LARGEST_BITS:
            raise InputError("a number in the expression is too large")
        return _bounded(Fraction(a if b >= 0 else _divisor(a)) ** b)
    try:
        return a**b
    except (OverflowError, ZeroDivisionError):
        raise InputError("a number in the expression is too large") from None


def _exact_log2(a: Any) -> int | None:
    """Return the binary logarithm if it is an integer, else None."""
    exact = Fraction(a)
    for part, sign in ((exact.numerator, 1), (exact.denominator, -1)):
        if exact in (part, Fraction(1, part)) and part & (part - 1) == 0:
            return sign * (part.bit_length() - 1)
    return None


def _positive(a: Any) -> Any:
    if _number(a) <= 0:
        raise InputError("a logarithm is of a number above 0; `X > 0 and ...` leaves out the other rows")
    return a


def _log2(a: Any) -> Any:
    _positive(a)
    whole = None if isinstance(a, float) else _exact_log2(a)
    return math.log2(a) if whole is None else whole


def _floor_log2(a: Any) -> int:
    exact = Fraction(_positive(a))
    guess = exact.numerator.bit_length() - exact.denominator.bit_length()
    return guess if Fraction(2) ** guess <= exact else guess - 1


def _ceil_log2(a: Any) -> int:
    below = _floor_log2(a)
    return below if Fraction(2) ** below == Fraction(a) else below + 1


def _compared(test: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def comparison(a: Any, b: Any) -> bool:
        if type(a) is int and type(b) is int:
            return test(a, b)
        if a is None or b is None:
            return test is eq and a is b
        if isinstance(a, float) or isinstance(b, float):
            if abs(a - b) <= NEARLY * (1 + abs(a)):
                raise UndecidedError("the two sides of a comparison with a logarithm are too close")
        elif test not in (eq, ne) and isinstance(a, str) != isinstance(b, str):
            raise TypeError
        return test(a, b)

    return comparison


def _strict(test: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def comparison(a: Any, b: Any) -> bool:
        if a is None or b is None:
            raise UndecidedError("a value is missing")
        return test(a, b)

    return comparison


def _differs(a: Any, b: Any) -> bool:
    return (a is None) != (b is None) if a is None or b is None else bool(a != b)


_OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: _arithmetic(add),
    ast.Sub: _arithmetic(sub),
    ast.Mult: _arithmetic(mul),
    ast.Div: _quotient,
    ast.FloorDiv: lambda a, b: _bounded(_number(a) // _divisor(b)),
    ast.Mod: lambda a, b: _bounded(_number(a) % _divisor(b)),
    ast.Pow: _power,
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: _compared(eq),
    ast.NotEq: _differs,
    ast.Lt: _compared(lt),
    ast.LtE: _compared(le),
    ast.Gt: _compared(gt),
    ast.GtE: _compared(ge),
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
