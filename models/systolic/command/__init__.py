"""What the model adds to `schedsolve explore`: periods of complete trees, and gossip against broadcast."""

from .periods import EXPLORE, explored, rows_to_json
from .ratio import RATIO

__all__ = ["EXPLORE", "RATIO", "explored", "rows_to_json"]

VERBS = (EXPLORE, RATIO)
