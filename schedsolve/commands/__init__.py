"""The command line, a file for every verb."""
