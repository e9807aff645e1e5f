"""Writing results to files."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

from schedsolve.errors import InputError


def write_json(data: Any, file: str) -> None:
    """Write JSON data to a file, compressed when its name ends in .gz. Raises InputError when that fails."""
    write_text(json.dumps(data) + "\n", file)


def write_text(text: str, file: str) -> None:
    """Write a text to a file, compressed when its name ends in .gz. Raises InputError when that fails."""
    try:
        if file.endswith(".gz"):
            Path(file).write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
        else:
            Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from None


def refuse_output(file: str) -> None:
    """Raise InputError about a file that cannot be written, before the work is done."""
    if not file or Path(file).is_dir():
        raise InputError(f"cannot write {file or 'a file without a name'}: --output takes the name of a file")
    if Path(file).exists() and not os.access(file, os.W_OK):
        raise InputError(f"cannot write {file}: it is write-protected")
    if not Path(file).parent.is_dir():
        raise InputError(f"cannot write {file}: there is no folder {Path(file).parent}")


def print_json(data: Any) -> None:
    """Print JSON data on standard output, as one line."""
    print(json.dumps(data))
