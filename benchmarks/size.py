"""Code lines by package, and the budget that each has in `size.toml`: `make size`.

A code line is a line with a token that is neither a comment nor a docstring, those of attributes included.
"""

from __future__ import annotations

import ast
import sys
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUDGET = Path(__file__).with_name("size.toml")
LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
    tokenize.ENCODING,
}  # fmt: skip
EXTENSIONS = ("export", "machines", "experiments", "drawing")


def code_lines(file: Path) -> int:
    """Return the number of code lines of a Python file."""
    with file.open("rb") as source:
        used = {
            line
            for token in tokenize.tokenize(source.readline)
            if token.type not in LAYOUT
            for line in range(token.start[0], token.end[0] + 1)
        }
    return len(used.difference(*map(set, _docstrings(ast.parse(file.read_text(encoding="utf-8"))))))


def _docstrings(tree: ast.AST) -> Iterator[range]:
    """Yield the lines of every text that stands alone as a statement."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for one in body if isinstance(body, list) else ():
            value = getattr(one, "value", None) if isinstance(one, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield range(one.lineno, (one.end_lineno or one.lineno) + 1)


def sizes() -> dict[str, int]:
    """Return the code lines of every package of the source, and those of the tests."""
    found: dict[str, int] = {}
    for folder in ("schedsolve", "models", "tests"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            if not any(parent.is_symlink() for parent in file.parents):
                name = _package(file.relative_to(ROOT))
                found[name] = found.get(name, 0) + code_lines(file)
    return found


def _package(file: Path) -> str:
    if file.parts[0] != "schedsolve":
        return file.parts[0]
    return "schedsolve" if len(file.parts) == 2 else f"schedsolve/{file.parts[1]}"


def totals(found: Mapping[str, int]) -> dict[str, int]:
    """Return the code lines of the core, models included, of the extensions, of both, and of the tests."""
    extensions = sum(found[f"schedsolve/{name}"] for name in EXTENSIONS if f"schedsolve/{name}" in found)
    source = sum(lines for name, lines in found.items() if name != "tests")
    core = source - extensions
    return {"core": core, "extensions": extensions, "source": source, "tests": found["tests"]}


def budget() -> dict[str, int]:
    """Return the most code lines of every package and total, as the file has them."""
    whole: dict[str, int] = tomllib.loads(BUDGET.read_text(encoding="utf-8"))["most"]
    return whole


def main() -> int:
    """Print every package and total beside its budget; return 1 if one is larger."""
    found = sizes()
    found |= totals(found)
    most = budget()
    for name, lines in sorted(found.items(), key=lambda item: -item[1]):
        print(f"{name:<24} {lines:>7,} of {most.get(name, 0):>7,}")
    return int(any(lines > most.get(name, 0) for name, lines in found.items()))


if __name__ == "__main__":
    sys.exit(main())
