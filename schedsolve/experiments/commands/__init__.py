"""The verbs of experiments."""
