#!/bin/sh
# What tests/run.sh shortens or leaves out for its time, whole. Prints what it ran, with counts and seconds, and ends with
# "N passed, N failed"; the exit code is not 0 where anything failed.
#   sh tests/nightly.sh [-l] [-b BUILD] [STEP...]
# -l lists the steps and runs none; without STEP all are run, which takes hours. BUILD: a build folder with program and tests (default:
# build/release, which is built here).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
# What shortens tests, and what keeps PoCL from optimising.
unset OMNIROLL_TESTS POCL_EXTRA_BUILD_FLAGS
build=
list=
while getopts lb: option; do
  case $option in
  l) list=1 ;;
  b) build=$(cd "$OPTARG" && pwd) ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))

# Name, what it proves, and its command. Words on purpose: no path here has a space.
steps='tests|every test of the release build whole, OpenCL programs optimised|tests
sanitizers|the tests with gcc and sanitizers|sanitizers
clang|the tests of numbers with clang|second_compiler
fuzz|every fuzz target|fuzz_targets
compare|gcc and clang bit by bit|compare
coverage|intervals of Sobol indices hold as often as the page says|BUILD/tests/sobol_coverage --jobs 1
calibrate|intervals of 300 calibrations of made runs hold|BUILD/omniroll calibrate studies/calibrate_sbc.json -q --sbc 300
subset|subset simulation against exact probabilities|sh tests/long/subset.sh BUILD
kill|kill -9 in every phase, full disks|/usr/bin/python3 tests/long/kill.py BUILD/tests/omniroll_failpoints
power_loss|the power fails after every operation on a file|/usr/bin/python3 tests/long/power_loss.py BUILD/omniroll BUILD/tests/power_loss_recorder.so
device_alarms|no false alarm of the check of the device|/usr/bin/python3 tests/long/device_alarms.py BUILD/omniroll
races|whole runs by eight threads, under the sanitizer of threads|sh tests/long/race_runs.sh 20
damaged_files|damaged results end no process|/usr/bin/python3 tests/long/damaged_files.py BUILD/omniroll --minutes 30
poison|healthy instances beside poisoned ones|/usr/bin/python3 tests/long/poison.py BUILD/omniroll
ready_compare|the ready comparisons with the reference|/usr/bin/python3 tests/long/compare.py BUILD/omniroll
step_error|the step error that runs print against the true one|/usr/bin/python3 tests/long/step_error.py BUILD/omniroll
step_tolerance|the range of the step error under tolerances holds the truth|/usr/bin/python3 tests/long/step_tolerance.py BUILD/omniroll
correlated_noise|intervals of calibrations hold where noise is correlated in time|/usr/bin/python3 tests/long/correlated_noise.py BUILD/omniroll
starters|every starter study|sh tests/long/starters.sh BUILD/omniroll
pages|every command of the pages as it stands there|sh tests/long/documentation.sh BUILD/omniroll
pictures|the layout of reports of every starter and ready study|/usr/bin/python3 tests/long/pictures.py BUILD/omniroll
numbers|the numbers on the pages|/usr/bin/python3 tests/long/page_numbers.py BUILD/omniroll
reproducible|two builds of the .deb are equal|sh tests/long/reproducible.sh
wheel|the wheel in a clean root without a compiler|sh tests/long/wheel.sh
packages|the .deb and the tarball in clean roots|sh tests/long/packages.sh
papers|the figures of the source papers, twice|sh tests/long/papers.sh BUILD/omniroll'

if [ "$list" ]; then
  printf '%s\n' "$steps" | sed 's/^\([^|]*\)|\([^|]*\)|.*/\1: \2/'
  exit 0
fi
for step in "$@"; do
  printf '%s\n' "$steps" | grep -q "^$step|" || { echo "nightly.sh: there is no step $step; -l lists them" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
skipped=$work/skipped
# Every instruction set in every build: tests/run.sh has that of this machine's processor alone, whose golden hashes stand for the others.
sets=all
. tests/stages.sh
if [ -z "$build" ]; then
  build=$root/build/release
  cmake --preset release -DBUILD_TESTING=ON -DOMNIROLL_LANE_SETS=$sets -DOMNIROLL_TEST_SKIP=
  cmake --build --preset release -j "$(nproc)"
  cmake --build --preset release -j "$(nproc)" --target sobol_coverage
fi

: > "$work/ran"

# Every test of the release build; a part that is shortened all the same is a failure.
tests() {
  ctest --test-dir "$build" -j "$(nproc)" --no-tests=error --output-junit "$work/tests.xml" --test-output-size-passed 10000000 || true
  count nightly "$work/tests.xml"
  shortened=$(grep -c 'shortened by OMNIROLL_TESTS' "$skipped") || true
  add "0 $shortened"
}

compare() {
  compare_builds tests/parity/parity.json
  compare_controlled
}

# run_step NAME WHAT COMMAND: its numbers, and its line of what was run.
run_step() {
  echo "== $1: $2"
  begin=$(date +%s)
  before="$passed $failed"
  case $3 in
  tests | sanitizers | second_compiler | fuzz_targets | compare) $3 ;;
  *)
    status=0
    $3 || status=$?
    case $status in
    0) add "1 0" ;;
    77) echo "$1: what it needs is not here" >> "$skipped" ;;
    *) add "0 1" ;;
    esac
    ;;
  esac
  printf '%-13s %4d passed %4d failed %6d s  %s\n' "$1" $((passed - ${before% *})) $((failed - ${before#* })) $(($(date +%s) - begin)) "$2" >> "$work/ran"
}

printf '%s\n' "$steps" | sed "s|BUILD|$build|g" > "$work/steps"
while IFS='|' read -r name what command <&3; do
  wanted=$([ $# -eq 0 ] && echo yes || printf '%s\n' "$@" | grep -x "$name" || true)
  [ -z "$wanted" ] || run_step "$name" "$what" "$command"
done 3< "$work/steps"

tell_skipped
echo "== ran"
cat "$work/ran"
tell_counts
