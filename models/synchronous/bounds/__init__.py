"""Lower bounds that take a search to find."""
