#!/bin/sh
# Runs a study with two or more builds of the program on every backend, with one and two threads and in both precisions, and
# compares all datasets bit by bit: compare_builds.sh [--processors] [--set PATH=VALUE]... STUDY PROGRAM PROGRAM...
# --processors leaves OpenCL out, whose programs take long to build; --set changes the study for all.
# Ends with exit code 0 only where all of them agree. OMNIROLL_PYTHON names a Python that has h5py.
set -eu
processors=
changes= # one a line
newline='
'
while :; do
  case ${1-} in
  --processors) processors=1 ;;
  --set)
    changes=$changes$2$newline
    shift
    ;;
  *) break ;;
  esac
  shift
done
if [ $# -lt 3 ]; then
  echo "usage: compare_builds.sh [--processors] [--set PATH=VALUE]... STUDY PROGRAM PROGRAM..." >&2
  exit 2
fi
study=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
python=${OMNIROLL_PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_WAIT_POLICY=PASSIVE POCL_CACHE_DIR="${POCL_CACHE_DIR-$work/pocl}" XDG_CACHE_HOME="$work/cache" OMNIROLL_CACHE=0
mkdir -p "$POCL_CACHE_DIR"
failed=0
compared=0

# compare PROGRAM THREADS PRECISION [options]: one row; the first result of a precision is the reference of the others.
compare() {
  program=$1 threads=$2 precision=$3
  shift 3
  name=$*
  set -f
  IFS=$newline
  for change in $changes; do set -- "$@" --set "$change"; done
  unset IFS
  set +f
  if ! POCL_MAX_PTHREAD_COUNT=$threads "$program" run "$study" -o "$work/result.h5" --overwrite --precision "$precision" "$@" \
    >"$work/log" 2>&1; then
    if grep -qE 'no such instruction set|no OpenCL|without OpenCL|cl_khr_fp64' "$work/log"; then
      echo "[PART] $program: threads $threads, $name: not here"
    else
      echo "$program threads $threads $name FAILED:"
      cat "$work/log"
      failed=$((failed + 1))
    fi
    return
  fi
  reference=$work/reference-$precision.h5
  [ -e "$reference" ] || cp "$work/result.h5" "$reference"
  compared=$((compared + 1))
  printf '%-32s threads %s  ' "$program" "$threads"
  "$python" -B "$here/compare_results.py" "$reference" "$work/result.h5" || failed=$((failed + 1))
}

for precision in double single; do
  for program in "$@"; do
    for threads in 1 2; do
      for set in avx512 avx2 baseline; do
        compare "$program" "$threads" "$precision" --backend openmp --threads "$threads" --device "$set"
      done
      compare "$program" "$threads" "$precision" --backend scalar --threads "$threads"
      for lanes in 1 8; do
        [ "$processors" ] || compare "$program" "$threads" "$precision" --backend opencl --set "engine.lanes=$lanes"
      done
    done
  done
done
echo "$compared runs compared, $failed differ or failed"
[ "$failed" -eq 0 ] && [ "$compared" -gt 1 ]
