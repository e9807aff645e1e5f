"""Standalone pages: inline styles and scripts, and a policy that allows no others."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files


def text_of(name: str) -> str:
    """Return the text of a file in this folder."""
    return (files("schedsolve.drawing.page") / name).read_text(encoding="utf-8")


def policy(script: str, style: str) -> str:
    """Return the content security policy of a page with this script and style, which loads nothing."""
    return f"default-src 'none'; script-src '{_fingerprint(script)}'; style-src '{_fingerprint(style)}'"


def _fingerprint(text: str) -> str:
    """Return the hash with which a content security policy allows an inline script or style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
