"""What pyproject.toml cannot say.

An sdist keeps the link schedsolve/models, and type checkers find an editable install.
"""

from collections.abc import Sequence
from pathlib import Path

from setuptools import setup
from setuptools.command.editable_wheel import editable_wheel
from setuptools.command.sdist import sdist

LINK, TARGET = "schedsolve/models", "../models"


class SdistWithLink(sdist):
    """An sdist with the link of the source tree: without it a wheel built from it would hold no model."""

    def make_release_tree(self, base_dir: str, files: Sequence[str]) -> None:
        """Copy the files into the folder that is packed, and make the link there."""
        super().make_release_tree(base_dir, files)
        (Path(base_dir) / LINK).symlink_to(TARGET)


class EditableOnPath(editable_wheel):
    """An editable install by a folder on the path, as type checkers do not run an import hook."""

    def finalize_options(self) -> None:
        """Take the packages as they lie, with schedsolve/models by its link."""
        self.distribution.package_dir = {"": "."}
        super().finalize_options()


setup(cmdclass={"sdist": SdistWithLink, "editable_wheel": EditableOnPath})
