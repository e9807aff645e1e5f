"""For which heights of complete trees an optimal gossip has a period."""

from __future__ import annotations

FIRST_FAILURES = {
    (2, True): {2: 2, 3: 2, 4: 2, 5: 5, 6: 4, 7: 3, 8: None, 9: None},
    (3, True): {4: 2, 5: 2, 6: 2, 7: 7, 8: None},
    (4, True): {5: 2, 6: None, 7: 2},
    (2, False): {12: 4, 13: 5, 14: 12, 15: 5, 16: 9, 18: None},
    (3, False): {15: 9, 16: None, 17: 4, 18: 7},
}
"""From which height on an optimal gossip cannot have a period, by arity, mode and period; None for never."""
