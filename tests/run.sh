#!/bin/sh
# Builds omniroll with gcc and sanitizers, with gcc optimised and with clang, runs the tests in each and counts them.
# Ends with "N passed, N failed"; the exit code is not 0 where anything failed. Works from any folder. Skipped tests are in neither number:
# above that line they are listed with their reasons, as are the parts that other tests left out.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
sh tests/install_packages.sh all

jobs=$(nproc)
passed=0
failed=0

# count PRESET REPORT: adds a report to the counts, and what was skipped to the list; a report that cannot be read is a failure.
count() {
  numbers=$(python3 tests/count.py "$2" "$1" "$skipped") || numbers="0 1"
  passed=$((passed + ${numbers% *}))
  failed=$((failed + ${numbers#* }))
}

# targets PRESET [ctest options]: what the tests that ctest takes with these options need; the other tests would be built for nothing.
targets() {
  preset=$1
  shift
  ninja -C "build/$preset" -t targets all | sed -n 's/^\([^ :/]*\): phony$/\1/p' | sort -u > "build/$preset.targets"
  {
    ctest --preset "$preset" -N "$@" | sed -n 's|^ *Test *#[0-9]*: \(.*\)/\(.*\)$|test_\1_\2|p'
    printf '%s\n' deliberate omniroll omniroll_program omniroll_failpoints omniroll_shared omniroll_no_hdf5 manual kernel_text step_instructions test_warnings failing device_shim few_threads \
      power_loss_recorder
  } | sort | comm -12 - "build/$preset.targets"
}

# here PRESET: nobody runs code for other processors than this one (structure/text_avx512 reads it all the same).
here() {
  case $1 in release | clang) echo -DOMNIROLL_LANE_HERE=ON ;; esac
}

# build_and_test PRESET [ctest options]; a build that fails counts as one failure.
build_and_test() {
  preset=$1
  shift
  echo "== $preset"
  # A folder of another generator (Makefiles, before) is begun anew.
  grep -qs '^CMAKE_GENERATOR:INTERNAL=Ninja' "build/$preset/CMakeCache.txt" || rm -rf "build/$preset"
  # The options and targets are words on purpose.
  # shellcheck disable=SC2046
  if ! cmake --preset "$preset" $(here "$preset") >"build/$preset.log" 2>&1 ||
    ! cmake --build --preset "$preset" -j "$jobs" --target $(targets "$preset" "$@") >>"build/$preset.log" 2>&1; then
    tail -n 60 "build/$preset.log"
    echo "$preset: does not build (build/$preset.log)"
    failed=$((failed + 1))
    return
  fi
  report=$root/build/$preset/tests.xml
  rm -f "$report"
  # Passed tests say in their output what they skipped.
  ctest --preset "$preset" -j "$jobs" --no-tests=error --output-junit "$report" --test-output-size-passed 10000000 "$@" || true
  if [ -s "$report" ]; then
    count "$preset" "$report"
  else
    failed=$((failed + 1))
  fi
}

# The program of gcc against that of clang, on a study; counts as one test.
compare_builds() {
  echo "== gcc and clang: $*"
  if POCL_CACHE_DIR=$root/build/cache/pocl sh tests/parity/compare_builds.sh "$@" build/release/omniroll build/clang/omniroll \
    > build/compare.log 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
  cat build/compare.log
  sed -n 's/^\[PART\] /compare_builds: /p' build/compare.log | sort -u >> "$skipped"
}

# Programs of OpenCL are compared at fewer widths than by ctest alone (tests/parity/parity.h), and PoCL optimises those alone that stand for
# what users have: in the first comparisons of parity/bits, and in tests/opencl where arithmetic is looked at. Of 23 s of a core for a
# program that leaves 9.
export OMNIROLL_TESTS=short POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable

mkdir -p build
skipped=$root/build/skipped.txt
echo "all: PoCL optimises few programs of OpenCL (POCL_EXTRA_BUILD_FLAGS=$POCL_EXTRA_BUILD_FLAGS); tests/nightly.sh runs tests/parity with all of them optimised" > "$skipped"
# The engines of one build are compared in the release build; golden hashes and compare_builds compare the builds with each other.
engines='^parity/(bits|brushed_bits|compliant_bits|controlled_bits|edge_bits|laws|methods|tracking_bits|discs|frames|substeps)$'
# Under the sanitizers these take minutes; what they reach in the host code, others reach too.
long='^(physics/(stiff|integrators|laws|rolling_motion|rolling_disc_ideal|motion|roller_mass|observers|uk_wheel|step_bound|discs|constraint_laws|pairs|edges|controlled_times)'
long="$long|opencl/opencl_backend|reference/([a-z_]*_reference|compare|graph_studies|graph_skateboard)|faults/(selftest|poison_shares)|campaign/(kill|device)|opencl/drivers|cli/bench_command"
long="$long|parity/fast|statistics/sobol_indices|converge/converge|cli/(converge_command|commands)|campaign/(ladder|step_error)|counters/(count|nightly))\$"
# Python and layout are the same in every build.
build_and_test dev -LE '^(analysis|format)$' -E "$engines|$long"
build_and_test release
# What a second compiler can break is in the numbers; files, studies, the reference and sharing have been tested above.
build_and_test clang -LE '^(analysis|install|format|counters|opencl|cli|cluster|campaign|converge|faults|statistics|study|reference)$' \
  -E "$engines|^physics/stiff$"
# Ten seconds of each fuzz target; tests/fuzz/campaign.sh goes on for hours, with inputs of its own.
build_and_test fuzz
compare_builds tests/parity/parity.json
controlled='integrator={"tolerance": 1e-3, "duration": 0.3, "budget": 20000}'
compare_builds --processors --set "$controlled" tests/parity/parity.json
compare_builds --processors --set "$controlled" --set 'parameters.contact={"law": "ideal_rolling"}' tests/parity/four_wheels.json

if [ -s "$skipped" ]; then
  echo "== skipped, in neither number: tests and parts of tests, with the reason"
  cat "$skipped"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
