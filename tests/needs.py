"""Tests of the core that need an extension for what they look at: without it, they are skipped."""

from __future__ import annotations

import pytest

from schedsolve.extensions import installed


def needs(*extensions: str) -> pytest.MarkDecorator:
    """Skip a test where one of these extensions is not there."""
    missing = [name for name in extensions if not installed(name)]
    return pytest.mark.skipif(bool(missing), reason=f"without the extension {' and '.join(missing)}")
