"""`python -m schedsolve` is the command `schedsolve`."""

import sys

from schedsolve.cli import main

sys.exit(main())
