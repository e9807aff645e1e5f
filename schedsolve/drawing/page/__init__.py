"""The page that plays a schedule."""
