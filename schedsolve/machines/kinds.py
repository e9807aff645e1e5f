"""Which program a file holds, told before any checker is loaded."""

from __future__ import annotations

from schedsolve.certify.saved_files import read_bytes
from schedsolve.errors import InputError
from schedsolve.limits.budget import OverBudgetError, within

PROGRAM_TEXT = ".py"


def is_trace_file(path: str) -> bool:
    """Whether a file is named as a Chakra trace is."""
    return path.lower().endswith(".et")


def refuse_program_text(path: str) -> None:
    """Raise InputError for a program that verifies itself."""
    if path.lower().endswith(PROGRAM_TEXT):
        raise InputError(f"{path}: a program in Python verifies itself: run it with --verify")


def is_algorithm_file(path: str) -> bool:
    """Whether a file is named as XML is."""
    return path.lower().endswith(".xml")


@within()
def is_plan_file(path: str) -> bool:
    """Whether a file looks like a plan: JSON with gpus that is no file of ours."""
    if not path.lower().endswith((".json", ".json.gz")):
        return False
    try:
        content = read_bytes(path)
    except (InputError, OverBudgetError):
        return False
    return b'"gpus"' in content and b'"schedsolve-' not in content
