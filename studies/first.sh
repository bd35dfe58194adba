#!/bin/sh
# First run: builds omniroll, runs studies/first.json and plots it. The result and the plots stay in the current folder.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/release

sh "$root/tests/install_packages.sh" build
mkdir -p "$build"
# A build that has the tests keeps them.
tests=OFF
! grep -qs '^BUILD_TESTING:BOOL=ON' "$build/CMakeCache.txt" || tests=ON
echo "building omniroll in $build"
if ! { cmake -S "$root" --preset release -DBUILD_TESTING=$tests &&
  cmake --build "$build" --target omniroll_program omniroll_shared -j "$(nproc)"; } >"$build/build.log" 2>&1; then
  tail -n 40 "$build/build.log" >&2
  echo "omniroll does not build; the whole log is in $build/build.log" >&2
  exit 1
fi

"$build/omniroll" run "$root/studies/first.json" -o first.h5
PYTHONPATH="$root/analysis${PYTHONPATH:+:$PYTHONPATH}" MPLBACKEND=Agg /usr/bin/python3 -B -m omniroll.plot first.h5 -o first-plots

here=$(pwd)
echo "left in $here:"
for file in first.h5 first-plots/*.png; do
  [ ! -e "$file" ] || echo "  $file"
done
echo "the program is $build/omniroll"
