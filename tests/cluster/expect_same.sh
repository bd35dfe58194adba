#!/bin/sh
# Exit code 1 where a result lacks or differs from another in a bit of a dataset: expect_same.sh EXPECTED RESULT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ -s "$2" ] || { echo "there is no result $2"; exit 1; }
printf '%-16s' "$(basename "$2")"
"${OMNIROLL_PYTHON:-/usr/bin/python3}" -B "$here/../parity/compare_results.py" "$1" "$2"
