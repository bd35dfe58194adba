#!/bin/sh
# Every command of the documentation, as it stands there: nothing is shortened (tests/analysis/test_documentation.py runs them short).
#   documentation.sh OMNIROLL [PAGE]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
OMNIROLL=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
OMNIROLL_DOCS=long PYTHONPATH=$root/analysis
export OMNIROLL OMNIROLL_DOCS PYTHONPATH
[ $# -lt 2 ] || export OMNIROLL_PAGE="$2"
cd "$root"
exec /usr/bin/python3 -B -m unittest -v tests/analysis/test_documentation.py tests/analysis/test_tutorials.py
