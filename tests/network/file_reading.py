"""What tests of networks in files share: the endings, a network from a text, and the refusal of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from schedsolve.network.files.any_format import read_network
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

ENDINGS = (".edges", ".txt", ".topo", ".dimacs", ".col", ".g6", ".graphml", ".json", ".mbt", ".in")


def read_text(folder: Path, name: str, text: str | bytes, **options: Any) -> Network:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_network(path, **options)


def refusal(folder: Path, name: str, text: str | bytes, **options: Any) -> str:
    """The message without the path that it must begin with."""
    with pytest.raises(InputError) as raised:
        read_text(folder, name, text, **options)
    message = str(raised.value)
    assert message.startswith(f"{folder / name}: ")
    assert "\n" not in message
    return message.removeprefix(f"{folder / name}: ")


ONE, TWO, ARC = '<node id="1"/>', '<node id="2"/>', '<edge source="1" target="2"/>'


def graphml(body: str, namespace: str = ' xmlns="http://graphml.graphdrawing.org/xmlns"') -> str:
    return f'<graphml{namespace}><graph edgedefault="undirected">{body}</graph></graphml>'
