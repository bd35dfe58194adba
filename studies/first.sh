#!/bin/sh
# First run: builds omniroll, runs studies/first.json and plots it. The result and the plots stay in the current folder.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/release

sh "$root/tests/install_packages.sh" build
# A build that has the tests keeps them.
tests=OFF
! grep -qs '^BUILD_TESTING:BOOL=ON' "$build/CMakeCache.txt" || tests=ON
# A folder of another generator (Makefiles, before) is begun anew.
grep -qs '^CMAKE_GENERATOR:INTERNAL=Ninja' "$build/CMakeCache.txt" || rm -rf "$build"
mkdir -p "$build"
cores=$(nproc)
echo "building omniroll in $build (log: $build/build.log)"
# The whole work is about 28 minutes of one core (1700 s).
[ -x "$build/omniroll" ] || echo "this takes about $((28 / cores + 1)) minutes on $cores cores"
# Code for what this processor can run; packages, for every processor, are built without that (CONTRIBUTING.md).
if ! { cmake -S "$root" --preset release -DBUILD_TESTING=$tests -DOMNIROLL_LANE_HERE=ON &&
  cmake --build "$build" --target omniroll_program omniroll_shared -j "$cores"; } >"$build/build.log" 2>&1; then
  tail -n 40 "$build/build.log" >&2
  echo "omniroll does not build; the whole log is in $build/build.log" >&2
  exit 1
fi

"$build/omniroll" run "$root/studies/first.json" -o first.h5
PYTHONPATH="$root/analysis${PYTHONPATH:+:$PYTHONPATH}" MPLBACKEND=Agg /usr/bin/python3 -B -m omniroll.plot first.h5 -o first-plots
"$build/omniroll" report first.h5

here=$(pwd)
echo "left in $here:"
for file in first.h5 first.html first-plots/*.png; do
  [ ! -e "$file" ] || echo "  $file"
done
cat << END
Open first.html in a browser: it says what the study was, what came out, and how to make it again. Next:
  export PATH="$build:\$PATH"
  omniroll help                                      # every command
  omniroll describe omni_vehicle                     # every parameter and observable, with unit and default
  omniroll run "$root/studies/first.json" -o heavy.h5 --set 'parameters.platform.mass="20 kg"'
  omniroll report heavy.h5                           # the same page for heavier vehicles
$root/README.md goes on from there.
END
