# Stages of the tests, which tests/run.sh has in their short form and tests/nightly.sh whole: sourced, in the project's root.
# A stage builds one preset, runs its tests and counts them into passed and failed; what is skipped goes to the caller's file $skipped.
jobs=$(nproc)
passed=0
failed=0
: > "$skipped"

# add NUMBERS: "PASSED FAILED" to the counts.
add() {
  passed=$((passed + ${1% *}))
  failed=$((failed + ${1#* }))
}

# count PRESET REPORT: adds a report of ctest to the counts, and what was skipped to the list; one that cannot be read is a failure.
count() {
  if [ -s "$2" ] && numbers_of=$(python3 tests/count.py "$2" "$1" "$skipped"); then
    add "$numbers_of"
    python3 tests/seconds.py "$2" "$1" tests/slow.txt
  else
    failed=$((failed + 1))
  fi
}

# build PRESET [cmake options]: the whole preset, with the lane objects of $sets; one that does not build is a failure.
sets=${sets-here}
# Checks of undefined behaviour that take half the compile time of sanitized kernels. The address sanitizer finds most of what they find, where
# it happens. The short forms leave them out; the nightly form has them.
costly=null,alignment,object-size,pointer-overflow
build() {
  preset=$1
  shift
  # A folder of another generator (Makefiles, before) is begun anew.
  grep -qs '^CMAKE_GENERATOR:INTERNAL=Ninja' "build/$preset/CMakeCache.txt" || rm -rf "build/$preset"
  from=$(date +%s)
  if ! cmake --preset "$preset" -DBUILD_TESTING=ON -DOMNIROLL_LANE_SETS="$sets" "$@" > "build/$preset.log" 2>&1 ||
    ! cmake --build --preset "$preset" -j "$jobs" >> "build/$preset.log" 2>&1; then
    tail -n 60 "build/$preset.log"
    echo "$preset: does not build (build/$preset.log)"
    failed=$((failed + 1))
    return 1
  fi
  echo "$preset: built in $(($(date +%s) - from)) s"
}

# run_tests PRESET [ctest options]: the report is tests.xml, or $part.xml where only $part of the preset's tests is run.
part=
run_tests() {
  preset=$1
  shift
  report=$PWD/build/$preset/${part:-tests}.xml
  rm -f "$report"
  # Passed tests say in their output what they skipped. One more than there are cores: some tests wait most of their time.
  ctest --preset "$preset" -j "$((jobs + 1))" --no-tests=error --output-junit "$report" --test-output-size-passed 10000000 "$@" || true
  count "${part:-$preset}" "$report"
}

# stage PRESET UNBUILT [ctest options]: UNBUILT is a regular expression of tests in C that are not built; "": none. $with: options of CMake,
# words on purpose.
with=
stage() {
  preset=$1
  unbuilt=$2
  shift 2
  echo "== ${part:-$preset}"
  # shellcheck disable=SC2086
  build "$preset" -DOMNIROLL_WERROR=ON -DOMNIROLL_TEST_SKIP="$unbuilt" $with || return 0
  run_tests "$preset" "$@"
}

# The tests of the release build in two stages: what every change may break, and what few changes touch (cmake/tests.cmake).
release_tests() {
  stage release "" -LE '^more$'
}

more_tests() {
  part=more
  stage release "" -L '^more$'
  part=
}

# The stages that tests/run.sh has besides the release build; whole: tests/nightly.sh.
# Engines of one build are compared in the release build; golden hashes and compare_builds compare the builds with each other.
engines='^parity/(bits|brushed_bits|compliant_bits|controlled_bits|edge_bits|laws|methods|tracking_bits|discs|frames|substeps)$'
# Under the sanitizers these take minutes; what they reach in the host code, others reach too.
# CMake's regular expressions have at most nine groups.
long_physics='^physics/(stiff|integrators|laws|rolling_motion|rolling_disc_ideal|motion|roller_mass|observers|uk_wheel|step_bound|discs|constraint_laws|pairs|edges|controlled_times)$'
long="^(opencl/opencl_backend|reference/([a-z_]*_reference|compare|graph_studies|graph_skateboard)|faults/(selftest|poison_shares)|campaign/(kill|device)|opencl/drivers|cli/bench_command"
long="$long|parity/fast|statistics/sobol_indices|converge/converge|cli/(converge_command|commands)|campaign/(ladder|step_error)|counters/(count|nightly))\$"

sanitizers() {
  stage dev "$engines|$long_physics|$long" -LE '^(analysis|format)$' -E "$engines|$long_physics|$long"
}

# The host's own code and its tests; kernels are looked at in the lane objects, which these tests run. Of calibrate/ and opencl/ there are
# those that take seconds: nothing else calls the host's code there. Tests that integrate for long are left out: their
# neighbours run the same code.
short_sanitizers() {
  beyond="$long|^(physics|parity|bench)/|^calibrate/(ensemble|mode|observed|resume|tempering|verdict)\$"
  beyond="$beyond|^campaign/named\$|^campaign/controlled\$|^campaign/adaptive\$|^statistics/correlation\$"
  beyond="$beyond|^faults/poison\$|^cli/compare_command\$|^reference/graph_models\$|^reference/graph_gears\$|^reference/graph_rollers\$"
  beyond="$beyond|^reference/general_tracking\$|^reference/disc_contact\$"
  beyond="$beyond|^cli/new\$|^cli/mistakes\$|^cli/screens\$|^campaign/occupied\$|^statistics/stop\$|^study/mistakes\$"
  with="-DOMNIROLL_LANE_OPTIMIZE=-O1;-g1;-fno-sanitize=$costly"
  stage dev "$beyond" -LE '^(analysis|format|install|structure|cluster)$' -E "$beyond|^opencl/rounding\$|^opencl/single_precision\$"
  with=
}

# What a second compiler can break is in the numbers; files, studies, the reference and sharing are tested with the first one.
second_compiler() {
  stage clang "$engines|^physics/stiff$|^(opencl|cli|campaign|converge|faults|statistics|study|reference)/" \
    -LE '^(analysis|install|format|counters|opencl|cli|cluster|campaign|converge|faults|statistics|study|reference)$' \
    -E "$engines|^physics/stiff$"
}

# Ten seconds of each fuzz target; tests/fuzz/campaign.sh goes on for hours, with inputs of its own.
fuzz_targets() {
  stage fuzz . -L '^fuzz$'
}

# One build of clang has the fuzz targets and the program: the whole host, and lane objects compiled as in the preset "clang". Its golden
# hashes are those of gcc, whose numbers the tests of physics look at. In the release build, parity/compiled compiles a run's kernels by clang.
short_clang() {
  with="-DOMNIROLL_LANE_SCALAR_ONLY=OFF -DOMNIROLL_OPENCL=ON -DOMNIROLL_LAPACK=ON -DOMNIROLL_SANITIZE_WITHOUT=$costly"
  numbers='^(fuzz/|parity/golden$|unit/(avx|compat|difference|lanes|math|pack|single))'
  part=clang
  stage fuzz '^(physics|calibrate|bench|opencl|cli|campaign|converge|faults|statistics|study|reference)/|^parity/[^g]|^unit/[^acdlmps]' -R "$numbers"
  part=
  with=
  second=fuzz
}

# Steps that an error estimate chooses, in both classes of laws.
compare_controlled() {
  controlled='integrator={"tolerance": 1e-3, "duration": 0.3, "budget": 20000}'
  compare_builds --processors --set "$controlled" tests/parity/parity.json
  compare_builds --processors --set "$controlled" --set 'parameters.contact={"law": "ideal_rolling"}' tests/parity/four_wheels.json
}

# compare_builds [options] STUDY: gcc's program against that of the preset $second, clang's; builds what no stage has built; counts as one test.
second=clang
compare_builds() {
  for preset in release $second; do
    [ -x "build/$preset/omniroll" ] || build "$preset" -DOMNIROLL_WERROR=ON || return 0
  done
  echo "== gcc and clang: $*"
  if POCL_CACHE_DIR=$PWD/build/cache/pocl sh tests/parity/compare_builds.sh "$@" build/release/omniroll "build/$second/omniroll" \
    > build/compare.log 2>&1; then
    add "1 0"
  else
    add "0 1"
  fi
  cat build/compare.log
  sed -n 's/^\[PART\] /compare_builds: /p' build/compare.log | sort -u >> "$skipped"
}

tell_skipped() {
  [ -s "$skipped" ] || return 0
  echo "== skipped, in neither number: tests and parts of tests, with the reason"
  cat "$skipped"
}

# The last line of a run. Its exit code is that of the run.
tell_counts() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
