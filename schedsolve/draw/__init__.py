"""Pictures of schedules: positions of nodes, and drawings as SVG or PNG."""
