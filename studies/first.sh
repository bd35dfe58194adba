#!/bin/sh
# First run: builds omniroll, runs studies/first.json and makes its report. The result and the report stay in the current folder. What
# apt and the compiler print goes into logs beside the build, which are shown where something fails.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/release
cores=$(nproc)

clock() {
  printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
}

# How far a command is that writes into a log: on a terminal one line that is renewed, elsewhere a line every 20 s. Of ninja's
# "[12/561]" the last counts: large files are compiled first, so that they tell the time that is left only in the second half.
follow() { # what, expected seconds, log
  begun=$(date +%s) told=0
  while sleep 1 >/dev/null 2>&1 && kill -0 "$$" 2>/dev/null; do
    took=$(($(date +%s) - begun)) left=$(($2 - took)) of=
    count=$(sed -n 's/^\[\([0-9]*\/[0-9]*\)\].*/\1/p' "$3" | tail -n 1)
    if [ -n "$count" ] && [ "${count#*/}" -gt 2 ]; then
      of=", ${count%/*} of ${count#*/}"
      [ $((2 * ${count%/*})) -le "${count#*/}" ] || left=$((took * (${count#*/} - ${count%/*}) / ${count%/*}))
    fi
    [ "$left" -gt 0 ] && left=", about $(clock $left) left" || left=
    if [ -t 2 ]; then
      [ $took -lt 2 ] || printf '\r%s%s: %s%s\033[K' "$1" "$of" "$(clock $took)" "$left" >&2
    elif [ $((took - told)) -ge 20 ]; then
      told=$took
      echo "$1$of: $(clock $took)$left" >&2
    fi
  done
}

quietly() { # what, expected seconds, log, command...
  follow "$1" "$2" "$3" &
  follower=$! log=$3 status=0
  shift 3
  "$@" >"$log" 2>&1 || status=$?
  kill $follower 2>/dev/null || true
  wait $follower 2>/dev/null || true
  [ ! -t 2 ] || printf '\r\033[K' >&2
  [ $status -eq 0 ] || tail -n 40 "$log" >&2
  return $status
}

compile() {
  # A build that has the tests keeps them.
  tests=OFF
  ! grep -qs '^BUILD_TESTING:BOOL=ON' "$build/CMakeCache.txt" || tests=ON
  # tests/run.sh, which makes warnings errors, then takes this build as it is; newer compilers may have warnings that nobody has seen.
  [ "$(cc -dumpversion)" != 12 ] || export OMNIROLL_WERROR="${OMNIROLL_WERROR-ON}"
  cmake -S "$root" --preset release -DBUILD_TESTING=$tests &&
    cmake --build "$build" --target omniroll_program omniroll_shared manual -j "$cores"
}

# A folder of another generator (Makefiles, before) is begun anew.
grep -qs '^CMAKE_GENERATOR:INTERNAL=Ninja' "$build/CMakeCache.txt" || rm -rf "$build"
mkdir -p "$build"

missing=$(sh "$root/tests/install_packages.sh" build list)
if [ -n "$missing" ]; then
  # A password is asked for before a line of progress would hide the question.
  [ "$(id -u)" -eq 0 ] || ! command -v sudo >/dev/null || sudo -v
  quietly "fetching $(echo "$missing" | wc -w) packages" 60 "$build/packages.log" sh "$root/tests/install_packages.sh" build
fi

work=260 # seconds of one core, of a whole build
[ ! -x "$build/omniroll" ] || work=0
if ! quietly "building omniroll" $((work / cores)) "$build/build.log" compile; then
  echo "omniroll does not build; the whole log is $build/build.log" >&2
  exit 1
fi

"$build/omniroll" run "$root/studies/first.json" -o first.h5
quietly "making the report" 10 "$build/report.log" "$build/omniroll" report first.h5

cat << END
first.html is the report: open it in a browser. Then go on with a study of your own:
  export PATH="$build:\$PATH"
  omniroll new sweep
$root/README.md goes on from there.
END
