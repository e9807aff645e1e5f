"""Files written completely or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from schedsolve.runtime.errors import InputError, cut


def write_whole(content: bytes, file: str | os.PathLike[str]) -> None:
    """Write a file through a temporary file that replaces it once everything is on the disk.

    A full disk or an interrupt thus leaves the previous content. A path that is not a regular file, such as
    /dev/stdout, is written directly.

    Raises
    ------
    InputError
        With the file's name, if that fails.
    """
    try:
        target = Path(os.path.realpath(file))
        if target.exists() and not target.is_file():
            target.write_bytes(content)
        else:
            _replace(content, target)
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot write {cut(str(file))}: {getattr(error, 'strerror', None) or error}"
        ) from None


def _replace(content: bytes, target: Path) -> None:
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(None, "it is write-protected")
    beside = target.with_name(f".{target.name[:200]}.{os.getpid()}.tmp")
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            beside.chmod(mode)
        beside.replace(target)
    except FileExistsError:
        raise
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
