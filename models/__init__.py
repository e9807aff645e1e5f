"""The document models and their registry."""
