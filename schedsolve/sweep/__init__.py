"""Many problems."""
