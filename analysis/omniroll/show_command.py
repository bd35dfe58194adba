"""python3 -m omniroll.show_command --output FILE: run by omniroll show -o FILE, with the scene as JSON on standard input."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Sequence

from .errors import Error
from .pictures.vehicle_picture import warnings, write
from .terminal import failed, say


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="omniroll show", description="Draws the scene on standard input as SVG.")
    parser.add_argument("--output", required=True, metavar="FILE")
    output = parser.parse_args(arguments).output
    scene = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    try:
        write(scene, output)
    except Error as error:
        return failed(error)
    say(output, sys.stdout)
    for line in warnings(scene):
        say(f"warning: {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
