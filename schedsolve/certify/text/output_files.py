"""Writing results to files, and text to standard output."""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path
from typing import Any

from schedsolve.runtime.errors import InputError, cut
from schedsolve.runtime.files.whole_file import write_whole


def write_json(data: Any, file: str) -> None:
    """Write JSON data to a file, compressed if its name ends in .gz.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    write_text(json.dumps(data) + "\n", file)


def write_text(text: str, file: str) -> None:
    """Write a text to a file, compressed if its name ends in .gz.

    Raises
    ------
    InputError
        If the file cannot be written; its previous content is then kept.
    """
    content = text.encode("utf-8")
    write_whole(gzip.compress(content, mtime=0) if file.endswith(".gz") else content, file)


def refuse_output(file: str) -> None:
    """Raise InputError for a file that cannot be written, before any work is done."""
    named, target = cut(file) or "a file without a name", Path(file)
    try:
        if not file or target.is_dir():
            raise InputError(f"cannot write {named}: --output takes the name of a file")
        if target.exists() and not os.access(file, os.W_OK):
            raise InputError(f"cannot write {named}: it is write-protected")
        if not target.parent.is_dir():
            raise InputError(f"cannot write {named}: there is no folder {cut(str(target.parent))}")
    except OSError as error:
        raise InputError(f"cannot write {named}: {error.strerror}") from None


def refuse_result(file: str) -> None:
    """Refuse a result file before any work is done.

    Raises
    ------
    InputError
        If the file cannot be written, or if its ending is that of another format than JSON.
    """
    refuse_output(file)
    ending = Path(file).suffix
    if ending not in ("", ".json", ".gz"):
        raise InputError(
            f"a result's file name ends in .json or .json.gz, not in {cut(ending)}; pictures are for"
            " `schedsolve draw`, programs for `schedsolve export`"
        )


def print_json(data: Any) -> None:
    """Print JSON data on standard output, as one line."""
    print_text(json.dumps(data))


def print_text(text: str) -> None:
    """Print a text on standard output.

    When the reader has gone, as after `| head -1`, the rest is dropped and the work continues.
    """
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
