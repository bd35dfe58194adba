#!/bin/sh
# Whole runs by eight threads under gcc's sanitizer of threads, from reading a study to checking its result; each thread has a team of one,
# since libgomp is not built with the sanitizer. Builds the library in build/tsan, with scalar objects and without OpenCL; takes minutes.
# tests/faults/race.sh, a test, reads studies alone.
#   race_runs.sh [ROUNDS]
set -eu
echo 'int main(void) { return 0; }' | gcc -fsanitize=thread -x c - -o /dev/null 2> /dev/null || { echo "gcc has no sanitizer of threads here"; exit 77; }
rounds=${1:-5}
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/tsan
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O1 -g1' \
  -DCMAKE_C_FLAGS=-fsanitize=thread -DOMNIROLL_LANE_SCALAR_ONLY=ON \
  -DOMNIROLL_LANE_OPTIMIZE=-O1 -DOMNIROLL_OPENCL=OFF -DOMNIROLL_HARDENING=OFF -DBUILD_TESTING=OFF > "$folder/log" 2>&1 &&
  nice ninja -C "$build" omniroll >> "$folder/log" 2>&1 || { tail -n 30 "$folder/log"; exit 1; }
others=$(sed -n 's/^Libs.private: //p' "$build/omniroll.pc")
# shellcheck disable=SC2086
gcc -std=gnu17 -Wall -Wextra -O1 -g1 -fsanitize=thread -fopenmp -I"$root/host/include" "$root/tests/long/race_runs.c" "$build/libomniroll.a" \
  $others -o "$folder/race"
cd "$folder"
OMP_NUM_THREADS=1 TSAN_OPTIONS="halt_on_error=0 exitcode=66" ./race "$rounds"
