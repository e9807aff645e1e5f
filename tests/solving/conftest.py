"""What tests of many problems share."""

from tests.many_here import here

__all__ = ["here"]
