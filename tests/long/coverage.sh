#!/bin/sh
# Line and branch coverage of host/ by the tests, per room and in total, counted by gcov and read by gcovr (Debian: gcovr).
#   sh tests/long/coverage.sh [-n] [-j JOBS] [-f FILE] [CTEST-OPTION...]
# Builds build/coverage with one lane object of a kind, for any number of wheels, so that the build takes minutes, and runs all C tests but
# those that compare lane objects with each other. -n counts what was run before and runs nothing; -f prints the lines of FILE (a part of
# a path) that no test reached. Ends with 1 where a room has less than 90 % of its lines, and with 2 where a test failed.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
build=$root/build/coverage
jobs=$(nproc)
run=1
file=
while getopts nj:f: option; do
  case $option in
  n) run= ;;
  j) jobs=$OPTARG ;;
  f) file=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
command -v gcovr > /dev/null || { echo "coverage.sh: gcovr is missing: apt-get install gcovr" >&2; exit 2; }

# Counters are atomic: threads share them. The lane objects have none; they are kernels/, not host/.
failed=0
if [ "$run" ]; then
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O0 --coverage -fprofile-update=atomic" \
    -DCMAKE_C_COMPILER=gcc -DBUILD_TESTING=ON \
    -DOMNIROLL_LANE_OPTIMIZE="-O1;-fno-profile-arcs;-fno-test-coverage" \
    -DOMNIROLL_TEST_CACHE="$root/build/cache" > /dev/null
  cmake --build "$build" -j "$jobs"
  # Counts of other runs stay only where a part of the tests was asked for.
  [ $# -gt 0 ] || find "$build" -name '*.gcda' -delete
  OMNIROLL_TESTS=short ctest --test-dir "$build" -j "$jobs" -LE '^(analysis|install|format|structure|counters|cluster|bench)$' \
    -E '^(parity/(bits|controlled_bits|edge_bits|laws|methods|tracking_bits|discs|fast)|physics/(stiff|pairs)|faults/selftest)$' \
    --output-on-failure "$@" || failed=2
fi

# support/phase.c ends the program by kill -9, which writes no counts.
# What the program, the library, the program with failure points and the shared library of the Python tests share counts once.
cd "$build/CMakeFiles"
gcovr -r "$root" --object-directory "$build" --filter "$root/host/" --exclude "$root/host/support/phase.c" --gcov-ignore-parse-errors \
  --json "$build/coverage.json" omniroll.dir omniroll_program.dir omniroll_failpoints.dir > "$build/gcovr.log" 2>&1 || {
  tail -n 20 "$build/gcovr.log"
  exit 2
}
/usr/bin/python3 - "$build/coverage.json" "$file" << 'END' || [ "$failed" -ne 0 ] || failed=1
import collections, json, os, sys
rooms = collections.defaultdict(lambda: [0, 0, 0, 0])
for f in json.load(open(sys.argv[1]))["files"]:
    lines = [l for l in f["lines"] if not l["gcovr/noncode"]]
    counts = [len(lines), sum(l["count"] > 0 for l in lines), sum(len(l["branches"]) for l in lines),
              sum(b["count"] > 0 for l in lines for b in l["branches"])]
    for name in (os.path.dirname(f["file"]), "host in total"):
        rooms[name] = [a + b for a, b in zip(rooms[name], counts)]
    if sys.argv[2] and sys.argv[2] in f["file"]:
        print(f"{f['file']}: {counts[1]} of {counts[0]} lines; not reached:", *[l["line_number"] for l in lines if not l["count"]])
print(f"{'room':20} {'lines':>7} {'reached':>8} {'':>7} {'branches':>9} {'taken':>7}")
for name, (lines, reached, branches, taken) in sorted(rooms.items(), key=lambda r: (r[0] == "host in total", r[0])):
    print(f"{name:20} {lines:7} {reached:8} {100 * reached / lines:6.1f}% {branches:9} {taken:7} {100 * taken / max(1, branches):6.1f}%")
sys.exit(any(reached < 0.9 * lines for lines, reached, _, _ in rooms.values()))
END
exit "$failed"
