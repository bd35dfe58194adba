#!/bin/sh
# Exit code 1 where a result lacks, differs from another in a bit of a dataset, or was not made by so many processes:
# expect_same.sh EXPECTED RESULT PROCESSES
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ -s "$2" ] || { echo "there is no result $2"; exit 1; }
python=${OMNIROLL_PYTHON:-/usr/bin/python3}
printf '%-16s' "$(basename "$2")"
"$python" -B "$here/../parity/compare_results.py" "$1" "$2"
sessions=$("$python" -c 'import h5py, sys; print(h5py.File(sys.argv[1]).attrs["sessions"])' "$2")
[ "$sessions" = "$3" ] || { echo "made by $sessions processes, not $3"; exit 1; }
