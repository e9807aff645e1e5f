"""What everything stands on: errors, limits, files, executors, and what a terminal shows."""
