"""Writing results to files and reading them."""

from __future__ import annotations

from os import PathLike, fspath

from schedsolve.certify.saved_files import read_file
from schedsolve.certify.saved_result import read_result
from schedsolve.certify.text.output_files import refuse_result, write_json
from schedsolve.modelkit.problem import refuse_no_result
from schedsolve.modelkit.result import Result, result_to_json
from schedsolve.runtime.limits.budget import naming


def save_result(result: Result, file: str | PathLike[str]) -> None:
    """Write a result as JSON, as `solve --output` does; compressed if the name ends in .gz.

    Raises
    ------
    InputError
        If the file cannot be written, or it is no result.
    """
    refuse_no_result(result)
    refuse_result(fspath(file))
    write_json(result_to_json(result), fspath(file))


def load_result(file: str | PathLike[str]) -> Result:
    """Return the result that a file claims; `check` verifies it.

    Raises
    ------
    InputError
        If the file cannot be read or does not hold a result.
    """
    named = fspath(file)
    with naming(named):
        return read_result(read_file(named))
