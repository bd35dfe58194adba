#!/bin/sh
# Every allocation of the program, every system call, thread and OpenCL call fails once, in every command (tests/faults/nth_failure.py); takes
# hours.   nth_failures.sh [BUILD] [options of nth_failure.py: --sample 40 --seed 1 takes minutes]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/release}
[ $# -eq 0 ] || shift
cd "$root"
python3 -B tests/faults/nth_failure.py "$build/omniroll" "$build/tests/failing.so" --kinds memory,system,thread "$@"
python3 -B tests/faults/nth_failure.py "$build/omniroll" "$build/tests/failing.so" --kinds opencl --backend opencl \
  --commands run,resume,run_hash,devices,devices_json,plan "$@"
