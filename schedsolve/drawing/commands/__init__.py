"""The verbs that show schedules."""
