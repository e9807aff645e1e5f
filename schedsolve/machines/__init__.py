"""Collectives on machines: what turns a schedule into programs and times, and what checks such programs."""
