#!/bin/sh
# Builds omniroll (gcc, optimised, warnings are errors), runs the tests in their short form and counts them.
#   sh tests/run.sh [STAGE...]
# Stages: release, without others the only one; more, the same build's tests of what few changes touch, such as faults, clusters, packages,
# drivers and the bench; dev (gcc, sanitizers), clang (and the fuzz targets), and compare, gcc's program against clang's.
# tests/nightly.sh has all of it whole. Ends with "N passed, N failed"; the exit code is not 0 where anything failed. Works from any folder.
# Skipped tests are in neither number: above that line they are listed with their reasons, as are the parts that other tests left out.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- release
for name in "$@"; do
  case $name in
  release | more | dev | clang | compare) ;;
  *) echo "run.sh: there is no stage $name; stages are release, more, dev, clang, compare" >&2; exit 2 ;;
  esac
done
sh tests/install_packages.sh all
mkdir -p build
# The tests start Python hundreds of times with -B, which writes no bytecode: written once here, it saves up to half a second of each start.
/usr/bin/python3 -m compileall -q analysis/omniroll studies/papers
skipped=$PWD/build/skipped.txt
. tests/stages.sh

# Programs of OpenCL are compared at fewer widths than by ctest alone (tests/parity/parity.h), and PoCL optimises those alone that stand for
# what users have: in the first comparisons of parity/bits, and in tests/opencl where arithmetic is looked at. Of 23 s of a core for a
# program that leaves 9.
export OMNIROLL_TESTS=short POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
echo "all: short forms (OMNIROLL_TESTS=short), and PoCL optimises few programs of OpenCL (POCL_EXTRA_BUILD_FLAGS=$POCL_EXTRA_BUILD_FLAGS); tests/nightly.sh runs all whole" >> "$skipped"

# The stages that a contributor does not wait for: what they alone can find, in their shortest form.
for name in "$@"; do
  case $name in
  release) release_tests ;;
  more) more_tests ;;
  dev) short_sanitizers ;;
  clang) short_clang ;;
  compare) compare_controlled ;;
  esac
done
tell_skipped
tell_counts
