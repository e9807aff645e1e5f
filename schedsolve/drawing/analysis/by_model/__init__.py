"""Analyses, a file for every model that has one."""
