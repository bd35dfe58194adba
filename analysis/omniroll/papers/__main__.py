"""python3 -m omniroll.papers: what `omniroll figures` runs."""

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main())
