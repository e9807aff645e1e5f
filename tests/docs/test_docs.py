"""What the documentation says of the code holds."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_trusted_lines_are_counted() -> None:
    """docs/certificates.md counts the lines of every file that a certificate rests on, and the proof kernels
    stay below 300.
    """
    rows = re.findall(
        r"^\| `([\w/.]+\.py)` \| (\d+) \|",
        (ROOT / "docs/certificates.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    counted = {file: len((ROOT / file).read_text(encoding="utf-8").splitlines()) for file, _ in rows}
    assert {file: int(lines) for file, lines in rows} == counted
    claims = {
        str(file.relative_to(ROOT))
        for place in ("claims/*.py", "claims.py", "rules/*.py", "rules.py")
        for file in (ROOT / "models").glob(f"*/{place}")
    }
    assert claims | {"schedsolve/certify/check.py", "schedsolve/certify/propagation.py"} <= set(counted)
    assert counted["schedsolve/certify/propagation.py"] + counted["schedsolve/formulas/proof.py"] < 300


def test_relative_links_lead_somewhere() -> None:
    """Every relative link of README and docs names a file."""
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
