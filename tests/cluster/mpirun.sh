#!/bin/sh
# Ranks of Open MPI share the chunks of a study: mpirun.sh OMNIROLL
# The result has the bits of a single process, it is one file, and nothing else is left. Exit code 77: Open MPI is not here.
set -eu
program=$1
here=$(cd "$(dirname "$0")" && pwd)
study=$here/study.json
if ! command -v mpirun >/dev/null || ! mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
  echo "skipped: mpirun of Open MPI is not here (Debian: openmpi-bin)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export OMP_NUM_THREADS=1 TMPDIR="$work/tmp"
mkdir "$work/tmp" "$work/shared"

as_root=
[ "$(id -u)" -ne 0 ] || as_root=--allow-run-as-root

# ranks N NAME [arguments of run]: NAME.h5 by N ranks.
ranks() {
  count=$1 name=$2
  shift 2
  # $as_root is an option or nothing.
  # shellcheck disable=SC2086
  mpirun $as_root --oversubscribe --bind-to none -n "$count" "$program" run "$study" -o "$work/shared/$name.h5" "$@" \
    >"$work/$name.log" 2>&1 || { echo "mpirun -n $count fails:"; cat "$work/$name.log"; exit 1; }
}

"$program" run "$study" -o "$work/single.h5" >"$work/single.log" 2>&1 || { cat "$work/single.log"; exit 1; }
counts="1 4"
if [ "${OMNIROLL_TESTS-}" = short ]; then
  counts=4
  echo "[PART] cluster/mpirun: shortened by OMNIROLL_TESTS=short; tests/nightly.sh runs it whole"
fi
for count in $counts; do
  ranks "$count" "ranks-$count"
  sh "$here/expect_same.sh" "$work/single.h5" "$work/shared/ranks-$count.h5" "$count"
done
# A name for each count.
# shellcheck disable=SC2046
sh "$here/expect_only.sh" "$work/shared" $(for count in $counts; do echo "ranks-$count.h5"; done)
