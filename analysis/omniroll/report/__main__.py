"""python3 -m omniroll.report RESULT [-o FILE]"""

import sys

from .command import main

sys.exit(main())
