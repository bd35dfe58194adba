"""python3 -m omniroll.robots ROBOT [-o FILE]"""

import signal
import sys

from .command import main

signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the reader of the study may end first
sys.exit(main())
