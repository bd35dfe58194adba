"""python3 -m omniroll.robots ROBOT [-o FILE]"""

import sys

from .command import main

sys.exit(main())
