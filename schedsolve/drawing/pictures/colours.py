"""The colors of all pictures."""

ACTIVE, DONE, PARTLY, NOTHING, QUIET = "#c2410c", "#2f7d4f", "#f3c969", "#ffffff", "#b8bcc2"
MANY = ("#c2410c", "#1d4ed8", "#7c3aed", "#0f766e", "#be185d", "#a16207", "#0369a1", "#4d7c0f")
"""The colors of messages that share links."""
BROKEN = "#e00020"
"""The color of a call that breaks a rule."""
