"""OR-tools and highspy in one process, each with the HiGHS that it was built for.

Both packages bring a library `libhighs.so.1`, of different versions. Linux gives whichever package is
loaded second the library of the first, by its name, and the import fails on a missing symbol. A library
loaded by its path, with its symbols for everybody, is found before that one. It changes nothing for the
package that was loaded first: Python binds all symbols of an extension module when it loads it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = {"ortools": "highspy", "highspy": "ortools"}
"""The two packages, each with the other."""
_LOADED: set[str] = set()
"""Those known to be loaded: thousands of small flows ask in vain."""


def give_own_highs(package: str) -> None:
    """Load the HiGHS of a package that is about to be imported, if the other package was imported before.

    Parameters
    ----------
    package
        "ortools" or "highspy".
    """
    if package in _LOADED or sys.platform != "linux":
        return
    loaded = _with_highs()
    if package in loaded:
        _LOADED.add(package)
    if package in loaded or PACKAGES[package] not in loaded:
        return
    found = find_spec(package)
    if found is None or found.origin is None:
        return
    import ctypes

    for library in sorted(Path(found.origin).parent.rglob("libhighs.so.1")):
        ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)


def _with_highs() -> set[str]:
    """Return those of the two packages whose libraries are loaded."""
    return {name for name in PACKAGES if any(module.startswith(f"{name}.") for module in sys.modules)}
