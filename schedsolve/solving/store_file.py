"""Opening the file of a store for reading while another process writes, and the writer's lock."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from schedsolve.runtime.errors import InputError, cut


def reading(path: str) -> str:
    """Return how SQLite opens a store for reading; without its own files where it may not write."""
    file = Path(path).absolute()
    if os.access(file, os.W_OK) and os.access(file.parent, os.W_OK):
        return f"{file.as_uri()}?mode=rw"
    return f"{file.as_uri()}?{'mode=ro' if Path(f'{file}-wal').exists() else 'immutable=1'}"


def locked(path: str) -> TextIO:
    """Return the lock of a store, held until it is closed or the process ends.

    The locked file holds the number of the process.
    """
    name = Path(f"{path}-lock")
    while True:
        try:
            lock = name.open("a+", encoding="utf-8")
        except (OSError, ValueError) as error:
            raise InputError(
                f"cannot write {cut(path)}: {getattr(error, 'strerror', None) or error}"
            ) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            holder = lock.read(20).strip()
            lock.close()
            raise InputError(
                f"{cut(path)} is being filled by another process{f' ({holder})' if holder else ''}; wait for"
                " its end, or name another store"
            ) from None
        # Whoever held it before may have removed the file after it was opened here.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock.fileno()), name.stat()):
                break
        lock.close()
    # The number is for people only; on a full disk the lock holds without it.
    with suppress(OSError):
        os.ftruncate(lock.fileno(), 0)
        os.write(lock.fileno(), f"{os.getpid()}\n".encode())
    return lock
