"""The verbs about programs and times."""
