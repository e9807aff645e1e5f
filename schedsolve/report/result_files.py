"""Results as files: written, and read again."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath

from schedsolve.certify.saved_files import read_file, read_result
from schedsolve.errors import InputError
from schedsolve.report.output_files import refuse_result, write_json
from schedsolve.result import RESULT_FORMAT, Result, result_to_json


def save_result(result: Result, file: str | PathLike[str]) -> None:
    """Write a result as JSON, as `solve --output` does; compressed when the name ends in .gz.

    Raises InputError when the file cannot be written.
    """
    refuse_result(fspath(file))
    write_json(result_to_json(result), fspath(file))


def load_result(file: str | PathLike[str]) -> Result:
    """The result in a file, as it claims to be; `check` verifies it.

    Raises InputError when the file cannot be read or holds no result.
    """
    named = fspath(file)
    try:
        data = read_file(named)
        if not isinstance(data, Mapping) or data.get("format") != RESULT_FORMAT:
            raise InputError("no schedsolve result")
        return read_result(data)
    except InputError as error:
        raise InputError(f"{named}: {error}") from None
