#!/bin/sh
# A program without HDF5: linked from the objects of this build, of which those that use HDF5 are then left out (a program that still
# needed one would not have linked). What it says where a result file is wanted, and that the rest works.
#   no_hdf5.sh PROGRAM_WITHOUT BUILD_FOLDER       from the project's root
set -eu
program=$(realpath "$1") build=$(realpath "$2")
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work" "$work.lists"' EXIT
failed=0
fail() { echo "$*"; failed=1; }

if ldd "$program" | grep -i hdf5; then fail "it is linked with HDF5"; fi

# Headers of HDF5 reach none of the sources that such a build has (makefiles keep a list per object).
find "$build/CMakeFiles/omniroll.dir/host" "$build/CMakeFiles/omniroll_program.dir" -name '*.d' > "$work.lists"
while read -r list; do
  case $list in
    */result/hdf5*.d | */result/reader.c* | */result/writer.c* | */result/export.c* | */statistics/analyze.c* | */statistics/write.c* | \
      */statistics/*_hdf5.c* | */study/tables/columns_hdf5.c* | */campaign/assemble.c* | */campaign/campaign*.d | */campaign/chunk.c*) ;;
    *) if grep -q 'hdf5\.h' "$list"; then fail "${list##*.dir/} depends on HDF5's headers"; fi ;;
  esac
done < "$work.lists"

# refused WORD COMMAND...: exit code 5, and a message that names the reason, the package and WORD; no file.
refused() {
  word=$1
  shift
  code=0
  (cd "$work" && "$program" "$@") > "$work/out" 2> "$work/err" || code=$?
  [ $code -eq 5 ] || fail "omniroll $*: exit code $code, not 5: $(cat "$work/err")"
  for part in 'without HDF5' libhdf5-dev OMNIROLL_HDF5 "$word"; do
    grep -q -e "$part" "$work/err" || fail "omniroll $*: \"$part\" is not in: $(cat "$work/err")"
  done
  ! grep -q chose "$work/err" || fail "omniroll $*: something was run first"
  rm -f "$work/out" "$work/err"
  [ -z "$(ls "$work")" ] || fail "omniroll $*: left $(ls "$work")"
}
refused '--hash' run "$root/studies/first.json"
refused 'first.h5' resume first.h5
refused 'all.h5' merge -o all.h5 a.h5.parts
refused 'table.h5' sample "$root/studies/first.json" -o table.h5
refused 'first.h5' export first.h5
refused 'first.h5' analyze first.h5
refused 'first.h5' evaluate first.h5
refused 'best.h5' evaluate "$root/studies/mecanum_optimal.json" -o best.h5
refused 'result files' compare "$root/studies/compare_testbench.json" -o pair.h5

golden=$(sed -n 's/.*{"one_wheel", "double", "\([0-9a-f]*\)".*/\1/p' tests/parity/test_golden.c | head -n 1)
found=$("$program" run tests/parity/one_wheel.json --hash --quiet --backend openmp)
[ "$found" = "$golden" ] || fail "one_wheel: hash $found, not $golden"
"$program" run tests/parity/one_wheel.json --hash --json --backend openmp 2> "$work/err" > "$work/json"
grep -q "\"hash\": \"$golden\"" "$work/json" || fail "JSON: $(cat "$work/json")"

for command in "validate studies/first.json" "sample studies/load_cases.json" \
  "evaluate studies/mecanum_optimal.json --quiet --set design.per_cell=2 --set integrator.duration=0.05" "describe omni_vehicle" schema devices "help run" --version; do
  # Words on purpose.
  # shellcheck disable=SC2086
  "$program" $command > "$work/out" 2> "$work/err" || fail "omniroll $command: $(cat "$work/err")"
  [ -s "$work/out" ] || fail "omniroll $command printed nothing"
done
exit $failed
