"""Pictures of schedules as SVG, PNG, PDF or TikZ."""
