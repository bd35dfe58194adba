#!/bin/sh
# Everything about a GPU in one run and one table: the devices, selftest, speed over the number of instances, the bits against the
# processor's, `omniroll bench`, and limits of registers; in double and single precision. It stays within a budget of time: what does
# not fit is left out and said. What fails is said, and the rest goes on.
#
#   1. where the project builds:    sh tests/bench/bundle.sh build-gpu
#   2. on the machine with the GPU: OUT=results sh build-gpu/gpu.sh
#
# The folder build-gpu (6 MB, ignored by git) is all that has to be taken there, where it needs the GPU's driver, sh,
# awk and coreutils alone. Without a bundle, sh tests/bench/gpu.sh builds the program there, where a compiler, CMake and the libraries
# (but not HDF5) are. Options:
#   -t SECONDS  the budget (default 440)
#   -o DIR      where table, CSV and JSON go (default: $OUT, else gpu-results)
#   -p PROGRAM  this program
#   -d P:D      this device of `omniroll devices` alone
#   -a          processors that are OpenCL devices too (PoCL), to try the script out
#   -m          the first minutes on a device that nobody has seen: each program compiled within 60 s, self-test, bits, speed (single
#               precision and the lean case first), and on NVIDIA un-rounded operations in the driver's own PTX
# Exit code 1: a device gave wrong numbers, or other bits although its driver says that it rounds correctly; 3: there is no device.
set -u
here=$(cd "$(dirname "$0")" && pwd)
started=$(date +%s)
budget=440 out=${OUT:-gpu-results} program='' only='' all=0 first_minutes=0
while getopts t:o:p:d:am option; do
  case $option in
    t) budget=$OPTARG ;;
    o) out=$OPTARG ;;
    p) program=$OPTARG ;;
    d) only=$OPTARG ;;
    a) all=1 ;;
    m) first_minutes=1 ;;
    *) sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export XDG_CACHE_HOME="$work/cache" # programs are compiled anew here, and once
bad=0 left_out=''
: > "$out/gpu.txt"
: > "$out/gpu.log"
rm -f "$out/bench.csv" "$out/bench.json"
echo 'section,device,precision,name,instances,steps_per_second,kernel_seconds,build_seconds,hash,verdict' > "$out/gpu.csv"

say() { printf '%s\n' "$*" | tee -a "$out/gpu.txt"; }
heading() { say ''; say "$*"; }
# record SECTION DEVICE PRECISION NAME INSTANCES SPEED KERNEL BUILD HASH VERDICT
record() {
  for field in "$@"; do printf '"%s",' "$(printf '%s' "$field" | tr '"\n' "' ")"; done | sed 's/,$//' >> "$out/gpu.csv"
  echo >> "$out/gpu.csv"
}
left() { echo $((budget - $(date +%s) + started)); }
# Whether so many seconds are left; else the thing is noted as left out.
room() {
  [ "$(left)" -ge "$1" ] && return 0
  left_out="$left_out
  $2"
  return 1
}
# within SECONDS COMMAND...: at most that long, and no longer than the budget.
within() {
  most=$1 rest=$(left)
  shift
  [ "$rest" -lt "$most" ] && most=$rest
  [ "$most" -lt 1 ] && most=1
  timeout -k 5 "$most" "$@" < /dev/null
}
number() { sed -n "s/^ *\"$2\": \([-0-9.e+]*\),*\$/\1/p" "$1"; }
word() { sed -n "s/^ *\"$2\": \"\(.*\)\",*\$/\1/p" "$1"; }
# Why a run failed, on one line: from its exit code and what it wrote.
reason() {
  case $1 in
    124 | 137) echo 'stopped: took too long' ;;
    *) sed -n 's/^omniroll: //p' "$2" | head -n 1 | cut -c 1-160 | grep . || echo "exit code $1: $(tail -n 1 "$2" | cut -c 1-140)" ;;
  esac
}

# ---- the program

find_program() {
  [ -n "$program" ] && return
  [ -x "$here/bin/omniroll" ] && { program=$here/bin/omniroll; return; }
  root=$(cd "$here/../.." && pwd)
  [ -f "$root/CMakeLists.txt" ] || { say 'there is no program: make a bundle with tests/bench/bundle.sh'; exit 2; }
  command -v cmake > /dev/null || { say 'there is no program, and no cmake to build one: make a bundle with tests/bench/bundle.sh'; exit 2; }
  say 'building the program without HDF5'
  { cmake -S "$root" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DOMNIROLL_HDF5=OFF -DOMNIROLL_LAPACK=OFF -DBUILD_TESTING=OFF \
    && within 240 cmake --build "$work/build" --target omniroll_program -j "$(nproc)"; } >> "$out/gpu.log" 2>&1 ||
    { say "it cannot be built here: $(grep -m 1 -A 1 'omniroll needs\|rror' "$out/gpu.log" | tr '\n' ' ')"; exit 2; }
  program=$work/build/omniroll
}

find_studies() {
  for studies in "$here/studies" "$here/../parity"; do [ -f "$studies/parity.json" ] && break; done
  vehicle=$here/studies/vehicle.json
  [ -f "$vehicle" ] || vehicle=$here/vehicle.json
}

# ---- the vendor's driver

# Where a library of this name lies.
find_library() {
  for folder in $(printf '%s' "${LD_LIBRARY_PATH-}" | tr ':' ' ') /usr/local/nvidia/lib64 /usr/local/nvidia/lib /usr/lib/x86_64-linux-gnu \
    /usr/lib64 /usr/lib /usr/lib/wsl/lib /run/opengl-driver/lib /usr/local/cuda/compat /opt/rocm/lib /opt/rocm/opencl/lib \
    /usr/lib/x86_64-linux-gnu/intel-opencl; do
    [ -e "$folder/$1" ] && { echo "$folder/$1"; return; }
  done
  { ldconfig -p || /sbin/ldconfig -p; } 2> /dev/null | sed -n "s|.*$1.* => \(/.*\)|\1|p" | head -n 1
}

# Files of vendors that are there already, and one for each driver that none of them names. A folder outside the usual ones goes to
# LD_LIBRARY_PATH, since drivers load their own parts by name.
find_vendors() {
  [ -n "${OCL_ICD_VENDORS-}" ] && { say "vendors   OCL_ICD_VENDORS=$OCL_ICD_VENDORS, as given"; return; }
  mkdir "$work/vendors"
  cp /etc/OpenCL/vendors/*.icd "$work/vendors/" 2> /dev/null
  for name in libnvidia-opencl.so.1 libamdocl64.so libigdrcl.so $([ $all -eq 1 ] && echo libpocl.so.2); do
    grep -qs "$(printf '%s' "$name" | cut -d . -f 1)" "$work"/vendors/*.icd && continue
    library=$(find_library "$name")
    [ -n "$library" ] || continue
    echo "$library" > "$work/vendors/$name.icd"
    folder=$(dirname "$library")
    case :${LD_LIBRARY_PATH-}: in *":$folder:"*) ;; *) export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder" ;; esac
  done
  export OCL_ICD_VENDORS="$work/vendors"
  for file in "$work"/vendors/*.icd; do
    [ -f "$file" ] && say "vendor    $(basename "$file"): $(head -n 1 "$file")"
  done
}

find_devices() {
  within 60 "$program" devices > "$work/devices" 2>> "$out/gpu.log"
  cat "$work/devices" >> "$out/gpu.log"
  say "$(grep '^opencl' "$work/devices" | sed 's/  */ /g')"
  sed -n 's/^opencl *\([0-9]*:[0-9]*\) *\([A-Za-z]*\) .*/\1 \2/p' "$work/devices" | while read -r device type; do
    [ -n "$only" ] && [ "$only" != "$device" ] && continue
    [ -z "$only" ] && [ "$type" = CPU ] && [ $all -eq 0 ] && continue
    echo "$device"
  done > "$work/wanted"
  [ -s "$work/wanted" ] && return
  say 'there is no such device: neither /etc/OpenCL/vendors nor the usual folders of libraries have a driver with one'
  exit 3
}

precisions() {
  [ $first_minutes -eq 1 ] && echo single
  grep -q "^opencl *$1 .*double yes" "$work/devices" && echo double
  [ $first_minutes -eq 1 ] || echo single
}

# ---- the parts

selftest() {
  room 10 selftest || return
  heading "Selftest of $1: hard cases of arithmetic, and a known answer"
  within 120 "$program" selftest --device "$1" > "$work/selftest" 2>&1
  code=$?
  say "$(grep '^opencl' "$work/selftest" | sed 's/^/  /')"
  case $code in
    0) ;;
    124 | 137) say '  it was stopped: took too long' ;;
    *) bad=1; say "  FAILED: $(reason $code "$work/selftest")" ;;
  esac
  cat "$work/selftest" >> "$out/gpu.log"
}

# run FILE LIMIT STUDY OPTION...: JSON of a run in memory into FILE; its code into FILE.code, its log into FILE.err.
run() {
  file=$1 limit=$2
  shift 2
  within "$limit" "$program" run "$@" --hash --json > "$file" 2> "$file.err"
  code=$?
  echo $code > "$file.code"
  { echo "run $*: $code"; cat "$file.err"; } >> "$out/gpu.log"
  return $code
}

# Steps for about half a second, from the speed of a run before.
steps_for() { awk -v s="$1" -v n="$2" 'BEGIN { k = 0.5 * s / n; print int(k < 50 ? 50 : k > 20000 ? 20000 : k) }'; }

# timed SECTION DEVICE PRECISION NAME INSTANCES OPTION...: a row of the table; the speed is in $speed.
timed() {
  section=$1 device=$2 precision=$3 name=$4 instances=$5
  shift 5
  steps=$(steps_for "${speed:-1e7}" "$instances")
  run "$work/timed" 90 "$vehicle" --backend opencl --device "$device" --precision "$precision" --set "design.instances=$instances" \
    --set "integrator.duration=$(awk -v k="$steps" 'BEGIN { print k * 1e-4 }')" "$@"
  code=$?
  if [ $code -ne 0 ]; then
    why=$(reason $code "$work/timed.err")
    say "$(printf '  %-8s %-24s %9s  FAILED: %s' "$precision" "$name" "$instances" "$why")"
    record "$section" "$device" "$precision" "$name" "$instances" '' '' '' '' "$why"
    return 1
  fi
  speed=$(number "$work/timed" steps_per_second)
  kernel=$(number "$work/timed" kernel_seconds)
  built=$(number "$work/timed" build_seconds)
  say "$(printf '  %-8s %-24s %9s  %10.3e  %8.3f  %8.2f  %9s  %5s  %7s' "$precision" "$name" "$instances" "$speed" "$kernel" "$built" \
    "$(number "$work/timed" registers)" "$(number "$work/timed" spill_bytes)" "$(number "$work/timed" private_bytes)")"
  record "$section" "$device" "$precision" "$name" "$instances" "$speed" "$kernel" "$built" "$(word "$work/timed" hash)" ok
}

table_head() {
  say "$(printf '  %-8s %-24s %9s  %10s  %8s  %8s  %9s  %5s  %7s' precision "$1" instances steps/s 'kernel s' 'build s' registers \
    spill private)"
}

# Until more instances bring less than 3 per cent.
speeds() {
  heading "Speed on $1: three wheels, saturated Coulomb friction, rk4"
  table_head ''
  for precision in $(precisions "$1"); do
    speed='' last=0
    for instances in 4096 16384 65536 262144 1048576; do
      room 30 "speed $1 $precision $instances" || break
      [ -z "$speed" ] && { timed warm "$1" "$precision" 'first launch' 4096 || break; }
      timed speed "$1" "$precision" '' "$instances" || break
      awk -v a="$speed" -v b="$last" 'BEGIN { exit a < 1.03 * b ? 0 : 1 }' && break
      last=$speed
    done
  done
}

registers() {
  room 40 "limits of registers on $1" || return
  "$program" validate "$vehicle" --set engine.max_registers=64 > /dev/null 2>&1 || {
    left_out="$left_out
  limits of registers: this program has no engine.max_registers"
    return
  }
  heading "Limits of registers on $1 (engine.max_registers)"
  for precision in $(precisions "$1"); do
    for limit in 64 96 128 168; do # compiled side by side into the cache first
      run "$work/limit.$precision.$limit" 60 "$vehicle" --backend opencl --device "$1" --precision "$precision" \
        --set "engine.max_registers=$limit" --set integrator.duration=0.001 &
    done
  done
  wait
  table_head limit
  for precision in $(precisions "$1"); do
    speed=1e7
    for limit in 0 168 128 96 64; do
      room 20 "limit of registers $limit $precision" || break
      timed registers "$1" "$precision" "$limit" 131072 --set "engine.max_registers=$limit"
    done
  done
}

# ---- bits

# Studies, with a law of contact or a duration of their own.
bit_cases() {
  cat << 'EOF'
parity
bearing
four_wheels
five_wheels
tracking
one_wheel
laws parameters.contact.law=saturated_coulomb
laws parameters.contact.law=regularized_coulomb
laws parameters.contact.law=ideal_rolling
laws parameters.contact.law=udwadia_kalaba
laws parameters.contact.law=massless_rollers
laws parameters.contact.law=classical_rollers
discs
patches
dip
uk_wheel
uk_braking
disc_slope
disc_zone
disc_exudyn
disc_rolling
snakeboard
wheelset
sliding_block
elastic_wheel
first integrator.duration=0.2
EOF
}

# bit_case NUMBER DEVICE PRECISION STUDY [SETTING]: both sides, into files of that number.
bit_case() {
  base=$work/bits.$1 where=$2 precision=$3 study=$studies/$4.json setting=${5:-engine.launch_seconds=0.25}
  run "$base.cpu" 60 "$study" --backend openmp --precision "$precision" --set "$setting"
  run "$base.gpu" 100 "$study" --backend opencl --device "$where" --precision "$precision" --set "$setting"
}

bit_verdict() {
  base=$work/bits.$1 where=$2 precision=$3
  name="$4${5:+ ${5##*.}}"
  hash=''
  if [ "$(cat "$base.cpu.code")" != 0 ]; then
    verdict="FAILED on the processor: $(reason "$(cat "$base.cpu.code")" "$base.cpu.err")"
  elif [ "$(cat "$base.gpu.code")" != 0 ]; then
    verdict="FAILED: $(reason "$(cat "$base.gpu.code")" "$base.gpu.err")"
  else
    hash=$(word "$base.gpu" hash)
    if [ "$hash" = "$(word "$base.cpu" hash)" ]; then
      verdict='same bits'
      same=$((same + 1))
    elif grep -q "bits may differ from the CPU's" "$base.gpu.err"; then
      verdict="differs: the device has $(sed -n 's/.* has \(no .*\) in [a-z]* precision: bits may differ.*/\1/p' "$base.gpu.err")"
    else
      verdict='DIFFERS'
      bad=1
    fi
  fi
  compared=$((compared + 1))
  [ "$verdict" = 'same bits' ] || say "$(printf '  %-8s %-46s %s' "$precision" "$name" "$verdict")"
  record bits "$where" "$precision" "$name" "$(number "$base.cpu" instances)" '' "$(number "$base.gpu" kernel_seconds)" \
    "$(number "$base.gpu" build_seconds)" "$hash" "$verdict"
}

# Some at a time, since most of the time the driver compiles; until two fifths of what is left are spent, an equal share
# for each precision.
bits() {
  share=$(($(left) * 2 / 5 / $(precisions "$1" | wc -l)))
  together=$(($(nproc) / 2))
  [ $together -gt 8 ] && together=8
  [ $together -lt 1 ] && together=1
  heading "Bits on $1 against the processor's, $together studies at a time"
  for precision in $(precisions "$1"); do
    same=0 compared=0 first=1 until=$(($(date +%s) + share))
    bit_cases > "$work/cases"
    total=$(wc -l < "$work/cases")
    while [ $first -le "$total" ] && [ "$(date +%s)" -lt $until ] && [ "$(left)" -gt 15 ]; do
      i=$first
      while [ $i -lt $((first + together)) ] && [ $i -le "$total" ]; do
        # shellcheck disable=SC2046
        bit_case $i "$1" "$precision" $(sed -n "${i}p" "$work/cases") &
        i=$((i + 1))
      done
      wait
      while [ $first -lt $i ]; do
        # shellcheck disable=SC2046
        bit_verdict $first "$1" "$precision" $(sed -n "${first}p" "$work/cases")
        first=$((first + 1))
      done
    done
    say "  $precision: $same of $compared studies have the same bits"
    [ $compared -lt "$total" ] && left_out="$left_out
  bits $1 $precision: $((total - compared)) of $total studies"
  done
}

# ---- omniroll bench, section by section, so that what is done is kept; its explanations once

bench() {
  "$program" help bench > /dev/null 2>&1 || { left_out="$left_out
  bench: this program has none"; return; }
  heading "omniroll bench on $1"
  for section in backends numerics instances rollers methods wheels laws; do
    for precision in $(precisions "$1"); do
      room 20 "bench $1 $precision $section" || continue
      within 100 "$program" bench --quiet --backend opencl --device "$1" --precision "$precision" --section "$section" --seconds 0.3 \
        --rounds 2 --csv "$work/bench.csv" --json="$work/bench.json" > "$work/bench.txt" 2> "$work/bench.err"
      code=$?
      cat "$work/bench.err" >> "$out/gpu.log"
      if [ $code -ne 0 ]; then
        say "  $section $precision FAILED: $(reason $code "$work/bench.err")"
        continue
      fi
      say "$(awk -v more="$([ -f "$out/bench.csv" ] && echo 1)" '/^steps.s:/ { legend = 1 } more && NR < 3 { next }
        !more || !legend || /NOT IDLE/ { print "  " $0 }' "$work/bench.txt")"
      if [ -f "$out/bench.csv" ]; then
        sed 1d "$work/bench.csv" >> "$out/bench.csv"
        echo , >> "$out/bench.json"
      else
        cp "$work/bench.csv" "$out/bench.csv"
        echo '[' > "$out/bench.json"
      fi
      cat "$work/bench.json" >> "$out/bench.json"
    done
  done
  [ -s "$out/bench.json" ] && echo ']' >> "$out/bench.json"
}

# ---- the first minutes: does the driver's compiler come to an end at all, and what does it make

# Programs from the smallest to the largest; one that is not done in 60 s is ended, and the rest goes on.
programs() {
  cat << 'EOF'
sliding_block
wheelset
vehicle integrator.duration=0.01
one_wheel
first integrator.duration=0.2
laws parameters.contact.law=ideal_rolling
four_wheels
edges
EOF
}

compile() {
  heading "Compiling on $1, 60 s a program"
  say "$(printf '  %-8s %-46s %8s %9s %9s %9s' precision program 'build s' registers spill private)"
  for precision in $(precisions "$1"); do
    programs > "$work/programs"
    while read -r study setting; do
      room 60 "compiling $1 $precision $study" || break
      path=$studies/$study.json
      [ "$study" = vehicle ] && path=$vehicle
      [ -f "$path" ] || path=$here/../../studies/$study.json
      run "$work/program" 60 "$path" --backend opencl --device "$1" --precision "$precision" --set "${setting:-engine.launch_seconds=0.25}"
      code=$?
      verdict=ok
      [ $code -eq 0 ] || { verdict=$(reason $code "$work/program.err"); [ $code -eq 124 ] || bad=1; }
      built=$(number "$work/program" build_seconds)
      [ -n "$built" ] && built=$(printf '%.2f' "$built")
      say "$(printf '  %-8s %-46s %8s %9s %9s %9s  %s' "$precision" "$study ${setting##*.}" "$built" "$(number "$work/program" registers)" \
        "$(number "$work/program" spill_bytes)" "$(number "$work/program" private_bytes)" "$verdict")"
      record compile "$1" "$precision" "$study${setting:+ ${setting##*.}}" '' '' '' "$built" '' "$verdict"
    done < "$work/programs"
  done
}

# NVIDIA's binary is PTX text: a product or sum without a stated rounding may be fused.
unrounded() {
  binaries=$(grep -la '^\.target sm_' "$XDG_CACHE_HOME"/omniroll/* 2> /dev/null)
  [ -n "$binaries" ] || { left_out="$left_out
  un-rounded operations: the driver's binaries are no PTX"; return; }
  # shellcheck disable=SC2086
  loose=$(cat $binaries | grep -acE '[^a-z](mul|add|sub|mad)(\.ftz)?\.f(32|64)[^0-9]')
  # shellcheck disable=SC2086
  exact=$(cat $binaries | grep -acE '[^a-z](mul|add|sub)\.rn\.f(32|64)[^0-9]')
  heading "PTX of the driver: $loose un-rounded products and sums, $exact rounded ones"
  record ptx '' '' unrounded '' '' '' '' '' "$loose"
  [ "$loose" -eq 0 ] || bad=1
}

find_program
find_studies
say "omniroll on $(uname -m), $(nproc) processor cores, $(date -u +%Y-%m-%d)"
say "$("$program" --version 2>&1 | tr '\n' ' ')"
command -v nvidia-smi > /dev/null &&
  say "$(within 20 nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader 2>&1 | sed 's/^/nvidia-smi /')"
find_vendors
find_devices
[ $first_minutes -eq 0 ] || while read -r device; do compile "$device"; done < "$work/wanted"
while read -r device; do selftest "$device"; done < "$work/wanted"
[ $first_minutes -eq 0 ] || while read -r device; do bits "$device"; done < "$work/wanted"
while read -r device; do speeds "$device"; done < "$work/wanted"
[ $first_minutes -eq 1 ] || while read -r device; do bits "$device"; done < "$work/wanted"
[ $first_minutes -eq 0 ] || unrounded
while read -r device; do registers "$device"; done < "$work/wanted"
while read -r device; do bench "$device"; done < "$work/wanted"
[ -n "$left_out" ] && heading "Left out, since $budget s are too short or it is not there:$left_out"
heading "$(($(date +%s) - started)) s of $budget; table, CSV and JSON in $out"
exit $bad
