"""Reading and writing files: terminal-safe text, numbers in text, and files that are written whole."""
