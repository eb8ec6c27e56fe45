"""``python -m arsg``: the ``arsg`` command."""

import sys

from ._command import main

sys.exit(main())
