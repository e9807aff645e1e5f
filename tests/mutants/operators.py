"""What may be altered in a file's code, a place at a time: conditions, comparisons, bounds, constants, and
statements that refuse or add something.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
    ast.LShift: ast.Mult, ast.RShift: ast.FloorDiv, ast.Pow: ast.Mult,
}  # fmt: skip
FUNCTIONS = {"any": "all", "all": "any", "min": "max", "max": "min", "ceil": "floor", "floor": "ceil"}
NUMBERS = ("int", "Fraction", "Value")
"""Of a function that says it returns one of these, one more is returned."""


@dataclass(frozen=True)
class Mutant:
    """A change. number: among those of the file. line: where. function: in whose body, "" at the top.
    what: the code before and after it.
    """

    file: str
    number: int
    line: int
    function: str
    what: str


Change = tuple[ast.AST, str, int | None, ast.AST | None]
"""A node, the name of its field, the place in a list there, and what comes there; None for nothing."""


def _expressions(node: ast.expr) -> Iterator[ast.expr]:  # noqa: PLR0912
    """What may stand in place of an expression."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=right) if type(op) in COMPARISONS:
            yield ast.Compare(left, [COMPARISONS[type(op)]()], right)
        case ast.Compare(left=left, ops=ops, comparators=right):
            for i, op in enumerate(ops):
                if type(op) in COMPARISONS:
                    yield ast.Compare(left, [*ops[:i], COMPARISONS[type(op)](), *ops[i + 1 :]], right)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for i in range(len(values)):
                rest = values[:i] + values[i + 1 :]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            yield ast.BinOp(left, ARITHMETIC[type(op)](), right)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
            if value != 0:
                yield ast.Constant(value - 1)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=words) if name in FUNCTIONS:
            yield ast.Call(ast.Name(FUNCTIONS[name], ast.Load()), args, words)
        case ast.IfExp(test=test, body=body, orelse=other):
            yield ast.IfExp(ast.UnaryOp(ast.Not(), test), body, other)


def _statements(node: ast.stmt, returns: str) -> Iterator[ast.stmt]:
    """What may stand in place of a statement."""
    match node:
        case ast.If(test=test, body=body, orelse=other):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, other)
            yield ast.If(ast.Constant(False), body, other)
        case ast.Expr(value=ast.Call() | ast.YieldFrom() | ast.Yield()):
            yield ast.Pass()
        case ast.AugAssign():
            yield ast.Pass()
        case ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Return(value=ast.expr() as value) if returns == "bool":
            yield ast.Return(ast.UnaryOp(ast.Not(), value))
        case ast.Return(value=ast.expr() as value) if returns.partition(" ")[0] in NUMBERS:
            if not (isinstance(value, ast.Constant) and value.value is None):
                yield ast.Return(ast.BinOp(value, ast.Add(), ast.Constant(1)))


def _is_passed_over(node: ast.AST) -> bool:
    """What says nothing that `check` decides by: messages, docstrings, assertions, imports."""
    match node:
        case ast.Raise() | ast.Assert() | ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Expr(value=ast.Constant()):
            return True
    return False


def _is_strict_zip(node: ast.AST, child: ast.AST) -> bool:
    """Whether `child` says in a call of zip that lists are equally long, which is an assertion: where it
    fails, the program does, and no check refuses.
    """
    match node, child:
        case ast.Call(func=ast.Name(id="zip")), ast.keyword(arg="strict"):
            return True
    return False


def _changes(node: ast.AST, function: str, returns: str) -> Iterator[tuple[Change, str]]:
    """All changes below a node, with the function in whose body they are."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_comment", "type_params"):
            continue
        for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or _is_passed_over(child) or _is_strict_zip(node, child):
                continue
            made: Iterator[ast.AST] = iter(())
            if isinstance(child, ast.expr):
                made = _expressions(child)
                if isinstance(node, ast.comprehension) and name == "ifs":
                    yield (node, name, place, None), function
            elif isinstance(child, ast.stmt):
                made = _statements(child, returns)
            for other in made:
                yield (node, name, place, other), function
            below, said = function, returns
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                below = f"{function}.{child.name}" if function else child.name
                returns_of = child.returns if isinstance(child, ast.FunctionDef) else None
                said = ast.unparse(returns_of) if returns_of else ""
            yield from _changes(child, below, said)


def _old(change: Change) -> ast.AST:
    node, name, place, _ = change
    value = getattr(node, name)
    old: ast.AST = value if place is None else value[place]
    return old


def mutants_of(file: str, source: str) -> list[Mutant]:
    """All mutants of a file."""
    found: list[Mutant] = []
    times = Counter[tuple[str, str]]()
    for number, (change, function) in enumerate(_changes(ast.parse(source), "", "")):
        old, new = _old(change), change[3]
        # A number alone does not say which it is.
        where = f"{_shown(change[0])}: " if isinstance(old, ast.Constant) else ""
        words = f"{where}{_shown(old)} -> {_shown(new)}"
        times[function, words] += 1
        if times[function, words] > 1:
            words += f" ({times[function, words]})"
        found.append(Mutant(file, number, getattr(old, "lineno", 0), function, words))
    return found


def _shown(node: ast.AST | None) -> str:
    text = "" if node is None else ast.unparse(ast.fix_missing_locations(copy.deepcopy(node)))
    first = " ".join(text.split("\n")[0].split())
    return first if len(first) < 110 else first[:107] + "..."


def mutated(source: str, number: int) -> ast.Module:
    """The code of the mutant of a number."""
    tree = ast.parse(source)
    for i, (change, _) in enumerate(_changes(tree, "", "")):
        if i == number:
            node, name, place, new = change
            old = _old(change)
            if place is None:
                setattr(node, name, _placed(new, old))
            elif new is None:
                del getattr(node, name)[place]
            else:
                getattr(node, name)[place] = _placed(new, old)
            return ast.fix_missing_locations(tree)
    raise IndexError(number)


def _placed(new: ast.AST | None, old: ast.AST) -> ast.AST | None:
    return None if new is None else ast.copy_location(new, old)
