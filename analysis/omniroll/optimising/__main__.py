"""python3 -m omniroll.optimising STUDY [-o FILE]"""

import sys

from .command import main

sys.exit(main())
