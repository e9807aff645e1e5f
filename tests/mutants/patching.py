"""A mutant in a process in which everything is imported already: the code of its functions is exchanged in
place, or, where the change is outside of them, the package is imported once more.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from functools import _lru_cache_wrapper
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from tests.mutants.operators import Mutant, mutated

ROOT = Path(__file__).parents[2]
OURS = ("schedsolve", "tests")


def apply(mutant: Mutant) -> bool:
    """Make this process one of the mutant; whether that was done in place."""
    path = ROOT / mutant.file
    tree = mutated(path.read_text(encoding="utf-8"), mutant.number)
    code = compile(tree, str(path), "exec")
    in_place = bool(mutant.function) and _exchange(path, code)
    if not in_place:
        sys.meta_path.insert(0, _Finder(path, code))
        for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
            del sys.modules[name]
    for found in gc.get_objects():
        if isinstance(found, _lru_cache_wrapper):
            found.cache_clear()
    return in_place


def _exchange(path: Path, code: CodeType) -> bool:
    """Give every function of a file its new code; whether any has changed."""
    new = dict(_named(code))
    changed = False
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and Path(function.__code__.co_filename).name == path.name:
            old = function.__code__
            if Path(old.co_filename).resolve() == path:
                other = new.get((old.co_qualname, old.co_firstlineno))
                if other is not None and other.co_freevars == old.co_freevars and other != old:
                    function.__code__ = other
                    changed = True
    return changed


def _named(code: CodeType) -> list[tuple[tuple[str, int], CodeType]]:
    found = []
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found += [((inner.co_qualname, inner.co_firstlineno), inner), *_named(inner)]
    return found


class _Finder(MetaPathFinder):
    """Finds the module of one file with other code."""

    def __init__(self, path: Path, code: CodeType) -> None:
        self.path, self.code = path, code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of the module, if it is that of the file."""
        if fullname.partition(".")[0] != "schedsolve":
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or Path(spec.origin).resolve() != self.path:
            return None
        spec.loader = _Loader(fullname, spec.origin, self.code)
        return spec


class _Loader(SourceFileLoader):
    """Gives the other code."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self.code = code

    def get_code(self, fullname: str) -> CodeType:
        """The code."""
        return self.code
