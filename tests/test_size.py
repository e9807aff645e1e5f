"""No package has more code lines than its budget, and no budget has room to spare."""

from __future__ import annotations

from pathlib import Path

from benchmarks.size import budget, code_lines, sizes, totals

SPARE = 100


def test_a_code_line_has_a_token_that_is_no_comment_and_no_docstring(tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    file.write_text(
        '"""About."""\n\n# Why.\nX = 1  # beside it\n"""What X is,\n\nin words."""\nY = """a\ntext"""\n'
    )
    assert code_lines(file) == 3


def test_every_package_keeps_to_its_budget() -> None:
    """A budget is lowered when code goes: what is spare would let other code in."""
    found, most = sizes(), budget()
    found |= totals(found)
    assert {name: lines for name, lines in found.items() if lines > most.get(name, 0)} == {}
    assert {name: most[name] - lines for name, lines in found.items() if most[name] - lines > SPARE} == {}
    assert set(most) == set(found)
