"""The build of an sdist that keeps the links schedsolve/models and schedsolve/examples; the rest of the
configuration is in pyproject.toml.
"""

from collections.abc import Sequence
from pathlib import Path

from setuptools import setup
from setuptools.command.sdist import sdist

LINKS = {"schedsolve/models": "../models", "schedsolve/examples": "../examples"}


class SdistWithLinks(sdist):
    """An sdist with the links of the source tree: without them a wheel made from it would hold no model."""

    def make_release_tree(self, base_dir: str, files: Sequence[str]) -> None:
        """Copy the files into the folder that is packed, and make the links there."""
        super().make_release_tree(base_dir, files)
        for link, target in LINKS.items():
            (Path(base_dir) / link).symlink_to(target)


setup(cmdclass={"sdist": SdistWithLinks})
