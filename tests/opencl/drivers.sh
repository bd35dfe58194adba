#!/bin/sh
# OpenCL drivers beside each other: PoCL, Mesa's rusticl on llvmpipe, the simulator Oclgrind and Intel's runtime for processors. Prints
# what differs and at the end one table, with a row for each: driver, device, self-test, how many of driver_cases.txt have the bits of
# OpenMP, speed over that of OpenMP in the same run, and processor seconds in which studies/first.json is compiled.
#
#   sh tests/opencl/drivers.sh [-q] [-i] [-d DRIVERS] [-c CASES] [-t SECONDS] [-b SECONDS] PROGRAM
#
# -q    short: one law under Oclgrind, and what rusticl refuses; bits alone, no self-test, speed or table
# -i    makes build/intel-opencl first, a virtual environment with Intel's runtime from the Python registry
# -d    these alone, of "Oclgrind rusticl PoCL Intel"
# -c    cases whose name matches this extended regular expression alone
# -t    the most that one command may take; default 300
# -b    begins no case once a driver has spent this long on those of one precision; the table then tells how many are left
# POCL_ICD and RUSTICL_ICD name files of vendors in place of those in /etc/OpenCL/vendors.
# INTEL names an environment with the wheels intel-opencl-rt, intel-cmplr-lib-rt and tbb; default build/intel-opencl.
# Exit code 1: other bits, or an error that Oclgrind found; 77: there is none of these drivers.
set -u
quick=0 install=0 drivers='Oclgrind rusticl PoCL Intel' chosen=. limit=300 budget=0
usage() { sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
while getopts qid:c:t:b: option; do
  case $option in
    q) quick=1 drivers='Oclgrind rusticl' chosen=law_ideal ;;
    i) install=1 ;;
    d) drivers=$OPTARG ;;
    c) chosen=$OPTARG ;;
    t) limit=$OPTARG ;;
    b) budget=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
program=$1 here=$(cd "$(dirname "$0")" && pwd)
parity=$here/../parity
intel=${INTEL-$here/../../build/intel-opencl}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export RUSTICL_ENABLE=llvmpipe
bad=0 ran=0
grep -v '^#' "$here/driver_cases.txt" | grep -E "^[^ ]*($chosen)" > "$work/cases"
[ -s "$work/cases" ] || { echo "no case matches $chosen" >&2; exit 2; }
# Oclgrind knows no LLVM metadata of aliases, which come of `restrict` and of inlining.
oclgrind_options='-Drestrict= -Dalways_inline=noinline'

part() { echo "[PART] opencl/drivers: $*"; }
wanted() { case " $drivers " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
hash_of() { sed -n 's/^hash *//p' "$1"; }
row() { printf '%-8s | %-62s | %-36s | %-18s | %-18s | %-22s | %s\n' "$@"; }

# integrator WORD: two steps of a method, or 1 ms of a method with its tolerance after a colon.
integrator() {
  case $1 in
    *:*) printf '{"method": "%s", "tolerance": %s, "duration": 1e-3}' "${1%:*}" "${1#*:}" ;;
    *) printf '{"method": "%s", "step": 5e-4, "duration": 1e-3}' "$1" ;;
  esac
}

# run LOG BACKEND PRECISION STUDY METHOD SETTING [WRAPPER...]: a case on that backend.
run() {
  log=$1 backend=$2 precision=$3 of=$4 method=$5 setting=$6
  shift 6
  [ "$setting" = - ] && setting=title=case
  # Grids have few points as they are.
  fewer=title=case
  grep -q monte_carlo "$parity/$of.json" && fewer=design.instances=2
  OMNIROLL_CACHE=0 timeout -k 10 "$limit" "$@" "$program" run "$parity/$of.json" --backend "$backend" --precision "$precision" --hash \
    --set "$setting" --set "integrator=$(integrator "$method")" --set 'output.trajectories={"instances": [0], "interval": 5e-4}' \
    --set "$fewer" > "$log" 2>&1 < /dev/null
}

# bits ROW PRECISION WRAPPER...: every case against OpenMP; `agreed` tells how many have its bits.
bits() {
  name=$1 single=$2
  shift 2
  same=0 all=0 since=$(date +%s)
  while read -r case study method setting; do
    [ "$budget" -gt 0 ] && [ $(($(date +%s) - since)) -ge "$budget" ] && break
    all=$((all + 1))
    run "$work/cpu" openmp "$single" "$study" "$method" "$setting" env || { bad=1; sed "s/^/$case openmp: /" "$work/cpu"; continue; }
    run "$work/device" opencl "$single" "$study" "$method" "$setting" "$@"
    code=$?
    if [ $code -ne 0 ]; then
      bad=1
      echo "$name $single $case: exit code $code"
      tail -n 3 "$work/device"
    elif [ "$(hash_of "$work/cpu")" = "$(hash_of "$work/device")" ]; then
      same=$((same + 1))
    else
      echo "$name $single $case: other bits than OpenMP"
      grep -q "bits may differ from the CPU's" "$work/device" || bad=1
    fi
  done < "$work/cases"
  agreed="$same of $all"
  echo "$name $single: $agreed cases have the bits of OpenMP, $(($(date +%s) - since)) s"
  left=$(($(wc -l < "$work/cases") - all))
  [ $left -eq 0 ] && return
  part "$name $single: $left cases not begun in $budget s"
  agreed="$agreed; $left left"
}

# What it is, by `omniroll devices`.
device() {
  "$@" "$program" devices 2>/dev/null | sed -n '/^opencl  *[0-9]*:/{s/^opencl *//;s/  */ /g;s/ [0-9]* compute units.*//;p;q;}'
}

# Whether its self-test passes; the simulator has no time for the 10 000 steps of that.
selftest() {
  timeout -k 10 "$limit" "$program" selftest --device 0:0 > "$work/selftest" 2>&1
  code=$?
  case $code in
    0) echo passed ;;
    124 | 137) echo "not done in $limit s" ;;
    *) echo "exit code $code" ; sed 's/^/selftest: /' "$work/selftest" >&2 ;;
  esac
}

steps_of() { sed -n 's/^speed *\([0-9.e+]*\) instance-steps.*/\1/p' "$1"; }

# Instance-steps per second in the kernels over those of OpenMP: 1024 instances of one wheel, by turns; the median of five rounds and
# their range, since other work on the machine moves both.
speed() {
  : > "$work/ratios"
  for round in 0 1 2 3 4 5; do
    for backend in openmp opencl; do
      XDG_CACHE_HOME=$work timeout -k 10 "$limit" "$program" run "$parity/one_wheel.json" --backend $backend --hash \
        --set design.instances=1024 > "$work/speed-$backend" 2>&1 < /dev/null || { echo 'not measured'; return; }
    done
    # The first round builds.
    [ $round -eq 0 ] || awk -v a="$(steps_of "$work/speed-opencl")" -v b="$(steps_of "$work/speed-openmp")" \
      'BEGIN { printf "%.3f\n", a / b }' >> "$work/ratios"
  done
  sort -n "$work/ratios" | awk '{ r[NR] = $1 } END { printf "%.2f (%.2f to %.2f)\n", r[3], r[1], r[5] }'
}

# compiling PRECISION WRAPPER...: processor seconds of the first instant of studies/first.json, with nothing in a cache.
compiling() {
  precision=$1
  shift
  (
    OMNIROLL_CACHE=0 POCL_CACHE_DIR=$work/pocl timeout -k 10 "$limit" "$@" "$program" run "$here/../../studies/first.json" --backend opencl \
      --precision "$precision" --hash --set integrator.duration=0.02 --set engine.hang_seconds=1000 > "$work/compile" 2>&1 < /dev/null
    echo $? > "$work/code"
    times > "$work/times"
  )
  rm -rf "$work/pocl"
  case $(cat "$work/code") in
    0) sed -n '2s/\([0-9]*\)m\([0-9.]*\)s .*/\1 \2/p' "$work/times" | awk '{ printf "%.1f\n", 60 * $1 + $2 }' ;;
    124 | 137) echo "over $limit" ;;
    *) echo "exit code $(cat "$work/code")" ;;
  esac
}

# Under the simulator's checks of memory, data races and the API. Not --uninitialized, which crashes where a kernel is launched by another
# thread than the one that made the context.
simulator() {
  command -v oclgrind > /dev/null || { part 'no Oclgrind: apt-get install oclgrind'; return; }
  ran=1
  set -- oclgrind --build-options "$oclgrind_options" --data-races --check-api --log "$work/found"
  : > "$work/found"
  bits Oclgrind double "$@"
  [ $quick -eq 1 ] || row Oclgrind "$(device oclgrind)" 'not run: too many steps' "$agreed" 'not run' 'a simulator' "$(compiling double oclgrind --build-options "$oclgrind_options")" \
    >> "$work/table"
  [ -s "$work/found" ] || { echo 'Oclgrind found no error'; return; }
  bad=1
  head -n 40 "$work/found"
}

rusticl() {
  icd=${RUSTICL_ICD-/etc/OpenCL/vendors/rusticl.icd}
  [ -f "$icd" ] || { part 'no rusticl: apt-get install mesa-opencl-icd libclc-15'; return; }
  ran=1
  timeout -k 10 "$limit" env OCL_ICD_VENDORS="$icd" "$program" run "$parity/laws.json" --backend opencl --precision double --hash \
    > "$work/refused" 2>&1
  code=$?
  if [ $code -eq 4 ] && grep -q cl_khr_fp64 "$work/refused"; then
    echo 'rusticl double: refused, it has none'
  else
    bad=1
    echo "rusticl double: not refused with exit code 4 but $code"
    cat "$work/refused"
  fi
  [ $quick -eq 1 ] || row rusticl "$(OCL_ICD_VENDORS=$icd device env)" 'not run: gigabytes' 'has none' 'not run' 'not measured' \
    "$(OCL_ICD_VENDORS=$icd compiling single env) (single)" >> "$work/table"
}

with_bits() {
  name=$1
  export OCL_ICD_VENDORS="$2"
  ran=1 tested='' fast=''
  if [ $quick -eq 0 ]; then
    tested=$(selftest) fast=$(speed)
    echo "$name: self-test $tested; speed over that of OpenMP $fast"
  fi
  bits "$name" double env
  double=$agreed
  bits "$name" single env
  [ $quick -eq 1 ] || row "$name" "$(device env)" "$tested" "$double" "$agreed" "$fast" "$(compiling double env)" >> "$work/table"
}

pocl() {
  icd=${POCL_ICD-/etc/OpenCL/vendors/pocl.icd}
  [ -f "$icd" ] || { part 'no PoCL: apt-get install pocl-opencl-icd'; return; }
  with_bits PoCL "$icd"
}

# The wheels bring a loader of their own, to which OCL_ICD_VENDORS is a folder; Debian's takes that too.
intel() {
  if [ $install -eq 1 ]; then
    { python3 -m venv "$intel" && "$intel/bin/python" -m pip install -q --only-binary :all: intel-opencl-rt intel-cmplr-lib-rt tbb; } ||
      part "$intel was not made: no network, or no python3-venv"
  fi
  [ -f "$intel/lib/libintelocl.so" ] || { part "no runtime of Intel in $intel: -i makes it, with a network"; return; }
  mkdir "$work/vendors"
  (cd "$intel/lib" && pwd) | sed 's,$,/libintelocl.so,' > "$work/vendors/intel.icd"
  export LD_LIBRARY_PATH="$intel/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  with_bits Intel "$work/vendors"
}

row driver 'device, driver' self-test double single 'speed / openmp (range)' 'compile s' > "$work/table"
wanted Oclgrind && simulator
wanted rusticl && rusticl
wanted PoCL && pocl
wanted Intel && intel
[ $ran -eq 1 ] || { echo 'none of these drivers is here'; exit 77; }
[ $quick -eq 1 ] || cat "$work/table"
exit $bad
