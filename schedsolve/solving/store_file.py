"""The file of a store: opened for reading while another process writes, the writer's lock, its documents."""

from __future__ import annotations

import fcntl
import os
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from schedsolve.runtime.errors import InputError, cut
from schedsolve.runtime.files.number_reader import parse_json

DAMAGED = "the store holds what cannot be read: it was altered or damaged"

APPLICATION_ID = 0x73636864
"""The number in the file's header that marks the file as a store of schedsolve."""


def is_store(path: str) -> bool:
    """Return whether a file is an SQLite file with the mark of a store, of any version."""
    try:
        with Path(path).open("rb") as file:
            head = file.read(72)
    except (OSError, ValueError):
        return False
    return head.startswith(b"SQLite format 3\0") and head[68:72] == APPLICATION_ID.to_bytes(4, "big")


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


def unpacked(document: Any) -> dict[str, Any]:
    """Return the JSON object of a compressed document of a store.

    Raises
    ------
    InputError
        If it was damaged.
    """
    with suppress(zlib.error, ValueError, TypeError):
        data = parse_json(zlib.decompress(document).decode())
        if isinstance(data, dict):
            return data
    raise InputError(DAMAGED)
