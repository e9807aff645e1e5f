"""What a person sees: tables, displays of notebooks, and lines of progress."""
