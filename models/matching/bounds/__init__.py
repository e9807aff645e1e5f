"""Lower and upper bounds for schedules of matching rounds."""
