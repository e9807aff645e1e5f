"""Which functions each part of the battery calls, so that a mutant meets those parts only that run it."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from types import CodeType, FrameType

from tests.mutants.tracing import FOLDER, PARTS

ROOT = Path(__file__).parents[2]
Part = tuple[str, int]
"""The title of a record, and the number of the forgery in its battery."""


def _file() -> Path:
    """Where it is written, by the code and the forgeries that it is about."""
    code = hashlib.sha256()
    for folder in ("models", "schedsolve", "tests/forgeries", "tests/evidence"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            code.update(path.read_bytes())
    return FOLDER / f"reach-{code.hexdigest()[:16]}.json"


@cache
def known() -> dict[str, list[Part]]:
    """For every function, as file and name, the parts of the battery that call it."""
    data = json.loads(_file().read_text(encoding="utf-8"))
    return {key: [(title, number) for title, number in parts] for key, parts in data.items()}


def find() -> None:
    """Run the battery once, in a process of its own, and write down what it calls, where that has not been
    done. Ends the program where the battery finds something in the code as it is, and so in every mutant.
    """
    if not _file().exists():
        if os.fork() == 0:
            os._exit(_traced())
        if os.wait()[1]:
            sys.exit("the battery finds something in the code as it is")
    known()


def _traced() -> int:
    from tests.forgeries.battery import battery, titles

    calling: defaultdict[CodeType, list[Part]] = defaultdict(list)
    seen: set[CodeType] = set()

    def called(frame: FrameType, event: str, _: object) -> None:
        seen.add(frame.f_code)

    for title in titles():
        for number, one in enumerate(battery(title)):
            seen.clear()
            sys.settrace(called)
            found = one.finding
            sys.settrace(None)
            if found:
                print(found)
                return 1
            for code in seen:
                calling[code].append((title, number))
    written: defaultdict[str, list[Part]] = defaultdict(list)
    for code, parts in calling.items():
        if code.co_filename.startswith(PARTS):
            file = Path(code.co_filename).resolve().relative_to(ROOT)
            written[f"{file}:{code.co_qualname}"] += parts
    FOLDER.mkdir(parents=True, exist_ok=True)
    part = _file().with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps(written))
    part.rename(_file())
    return 0
