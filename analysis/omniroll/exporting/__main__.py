"""python3 -m omniroll.exporting STUDY --mjcf FILE"""

import signal
import sys

from .command import main

signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the reader of the model may end first
sys.exit(main())
