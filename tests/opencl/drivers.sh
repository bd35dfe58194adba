#!/bin/sh
# OpenCL drivers beside each other: PoCL, Mesa's rusticl on llvmpipe, the simulator Oclgrind and Intel's runtime for processors. Prints
# a row for each: driver, device, rounding of its hard cases, and whether a study of each law has the bits of OpenMP.
#
#   sh tests/opencl/drivers.sh [-q] PROGRAM
#
# -q    short: one law under Oclgrind, and rusticl's rounding
# INTEL names a virtual environment with the wheels intel-opencl-rt, intel-cmplr-lib-rt and tbb; without it Intel's row is left out.
# Exit code 1: other bits, or an error that Oclgrind found; 77: there is none of these drivers.
set -u
quick=0
[ "${1-}" = -q ] && { quick=1; shift; }
[ $# -eq 1 ] || { sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 here=$(cd "$(dirname "$0")" && pwd)
study=$here/../parity/laws.json
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export OMNIROLL_CACHE=0 RUSTICL_ENABLE=llvmpipe
bad=0 ran=0
laws='saturated_coulomb regularized_coulomb ideal_rolling udwadia_kalaba massless_rollers classical_rollers'
# The simulator takes 2 s for a law; a slow machine more.
short='--set integrator.duration=0.0005 --set output.trajectories.instances=[0] --set output.trajectories.interval=0.0005 --set design.instances=2'
# Oclgrind knows no LLVM metadata of aliases, which come of `restrict` and of inlining.
oclgrind_options='-Drestrict= -Dalways_inline=noinline'

part() { echo "[PART] opencl/drivers: $*"; }
hash_of() { sed -n 's/^hash *//p' "$1"; }

# run NAME BACKEND PRECISION LAW [WRAPPER...]: the hash of a short run on that backend, its log in NAME.
# shellcheck disable=SC2086
run() {
  log=$1 backend=$2 precision=$3 law=$4
  shift 4
  timeout 300 "$@" "$program" run "$study" --backend "$backend" --precision "$precision" --hash --set "parameters.contact.law=$law" \
    $short > "$log" 2>&1
}

# bits ROW PRECISION WRAPPER...: every law against OpenMP.
bits() {
  row=$1 precision=$2
  shift 2
  same=0 of=0
  for law in $laws; do
    run "$work/cpu" openmp "$precision" "$law" env
    run "$work/device" opencl "$precision" "$law" "$@"
    code=$?
    of=$((of + 1))
    if [ $code -ne 0 ]; then
      bad=1
      echo "$row $precision $law: exit code $code"
      tail -n 3 "$work/device"
    elif [ "$(hash_of "$work/cpu")" = "$(hash_of "$work/device")" ]; then
      same=$((same + 1))
    else
      echo "$row $precision $law: other bits than OpenMP"
      grep -q "bits may differ from the CPU's" "$work/device" || bad=1
    fi
  done
  echo "$row $precision: $same of $of laws have the bits of OpenMP"
}

# Under the simulator's checks of memory, data races and the API. Not --uninitialized, which finds the rate of an observer read before it
# is set (move_motion() in kernels/methods.h): whether that is so or comes of the simulator is open.
# shellcheck disable=SC2086
simulator() {
  command -v oclgrind > /dev/null || { part 'no Oclgrind: apt-get install oclgrind'; return; }
  ran=1
  all=$laws
  [ $quick -eq 1 ] && laws=ideal_rolling
  set -- oclgrind --build-options "$oclgrind_options" --data-races --check-api --log "$work/found"
  : > "$work/found"
  bits Oclgrind double "$@"
  laws=$all
  [ -s "$work/found" ] || { echo 'Oclgrind found no error'; return; }
  bad=1
  head -n 40 "$work/found"
}

# What it is and how it says to round. `selftest` is not run here: its 10 000 steps take rusticl gigabytes and are too many for the simulator.
device() {
  "$program" devices | grep "^opencl  *[0-9]*:" | head -n 1 | sed 's/  */ /g'
}

rusticl() {
  icd=${RUSTICL_ICD-/etc/OpenCL/vendors/rusticl.icd}
  [ -f "$icd" ] || { part 'no rusticl: apt-get install mesa-opencl-icd libclc-15'; return; }
  ran=1
  OCL_ICD_VENDORS=$icd device
  timeout 300 env OCL_ICD_VENDORS="$icd" "$program" run "$study" --backend opencl --precision double --hash > "$work/refused" 2>&1
  code=$?
  [ $code -eq 4 ] && grep -q cl_khr_fp64 "$work/refused" && { echo 'rusticl double: refused, it has none'; return; }
  bad=1
  echo "rusticl double: not refused with exit code 4 but $code"
  cat "$work/refused"
}

with_bits() {
  name=$1 icd=$2
  export OCL_ICD_VENDORS="$icd"
  device
  bits "$name" double env
  bits "$name" single env
  ran=1
}

simulator
rusticl
if [ $quick -eq 0 ]; then
  if [ -f /etc/OpenCL/vendors/pocl.icd ]; then with_bits PoCL /etc/OpenCL/vendors/pocl.icd; else part 'no PoCL'; fi
  if [ -f "${INTEL:-none}/lib/libintelocl.so" ]; then
    echo "$INTEL/lib/libintelocl.so" > "$work/intel.icd"
    export LD_LIBRARY_PATH="$INTEL/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    with_bits Intel "$work/intel.icd"
  else
    part 'no runtime of Intel: INTEL names no environment with it'
  fi
fi
[ $ran -eq 1 ] || { echo 'none of these drivers is here'; exit 77; }
exit $bad
