"""What pages that stand alone are made of: styles and scripts inside, and a policy that allows no other."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files


def text_of(name: str) -> str:
    """The text of a file of this folder."""
    return (files("schedsolve.page") / name).read_text(encoding="utf-8")


def policy(script: str, style: str) -> str:
    """The content security policy of a page with this script and this style, which loads nothing."""
    return f"default-src 'none'; script-src '{_fingerprint(script)}'; style-src '{_fingerprint(style)}'"


def _fingerprint(text: str) -> str:
    """The hash by which a content security policy allows an inline script or style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
