#!/bin/sh
# Eight threads read studies from a cold start, what reads studies built with the sanitizer of threads. Runs are left out: libgomp is
# not built with it. With runs and files, and without the sanitizer: tests/unit/test_threads.c.
#   race.sh BUILD     BUILD: a built build folder, for the files that it generates
set -eu
echo 'int main(void) { return 0; }' | gcc -fsanitize=thread -x c - -o /dev/null 2> /dev/null || { echo "gcc has no sanitizer of threads here"; exit 77; }
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compiler="gcc -std=gnu17 -D_GNU_SOURCE -O0 -g1 -fsanitize=thread -fopenmp -w"
includes="-I$root/host/include -I$root -I$root/host -I$build/generated $(pkg-config --cflags hdf5 libcjson 2> /dev/null || true)"
cd "$folder"
find "$root/host/support" "$root/host/lists" "$root/host/study" "$root/host/lanes/scalar_math.c" \
  "$build/generated/omr_starter_texts.c" -name '*.c' \
  ! -name phase.c ! -name files_none.c ! -name version.c | xargs -n 4 -P 2 $compiler $includes -c
cat > version.c << 'END'
const char *omr_version(void) { return ""; }
END
$compiler $includes "$root/tests/faults/race.c" version.c ./*.o -lcjson -ludunits2 -lxxhash -lz $(pkg-config --libs hdf5) -lhdf5_hl -lm -o race
OMP_NUM_THREADS=1 TSAN_OPTIONS="halt_on_error=1 exitcode=66" ./race 20
