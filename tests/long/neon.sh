#!/bin/sh
# 64-bit Arm without such a machine: builds the program for it (without HDF5 and OpenCL), runs it under qemu-user, whose
# arithmetic is correctly rounded, and compares selftest and every golden hash of tests/parity/test_golden.c, made on x86-64.
#
#   sh tests/long/neon.sh [BUILD_FOLDER]      default: build-aarch64; about half an hour on two cores
#
# Needs gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user python3, and Debian's package lists by network: the libraries for Arm are
# unpacked under BUILD_FOLDER, nothing is installed.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build-aarch64}
for tool in aarch64-linux-gnu-gcc aarch64-linux-gnu-objdump qemu-aarch64 cmake python3; do
  command -v "$tool" > /dev/null || { echo "$tool is missing: sudo apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user cmake"; exit 77; }
done
mkdir -p "$build"
build=$(cd "$build" && pwd)
arm=$build/packages

# Debian's libraries for arm64, with lists of their own beside those of this machine.
if [ ! -d "$arm/root" ]; then
  mkdir -p "$arm/lists/partial" "$arm/cache/archives/partial"
  options="-q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::Lists=$arm/lists -o Dir::Cache=$arm/cache
    -o Dir::State::status=/dev/null"
  # Words on purpose.
  # shellcheck disable=SC2086
  (cd "$arm" && apt-get $options update && apt-get $options download libcjson-dev libcjson1 libxxhash-dev libxxhash0 libudunits2-dev \
    libudunits2-0 libexpat1 librandom123-dev) > "$arm/log" 2>&1 || { cat "$arm/log"; exit 1; }
  for package in "$arm"/*.deb; do dpkg -x "$package" "$arm/unpacked"; done
  mv "$arm/unpacked" "$arm/root"
fi

cmake -S "$root" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$root/cmake/aarch64.cmake" -DOMNIROLL_AARCH64_ROOT="$arm/root" \
  -DCMAKE_BUILD_TYPE=Release -DOMNIROLL_HDF5=OFF -DOMNIROLL_OPENCL=OFF -DOMNIROLL_LAPACK=OFF -DBUILD_TESTING=OFF > "$build/configure.log" || { cat "$build/configure.log"; exit 1; }
cmake --build "$build" --target omniroll_program -j "$(nproc)" > "$build/build.log" 2>&1 || { tail -40 "$build/build.log"; exit 1; }

omniroll() {
  qemu-aarch64 -L /usr/aarch64-linux-gnu \
    -E LD_LIBRARY_PATH="$arm/root/usr/lib/aarch64-linux-gnu:$arm/root/lib/aarch64-linux-gnu" "$build/omniroll" "$@"
}

omniroll --version
omniroll devices
OMP_NUM_THREADS=1 omniroll selftest || exit 1 # threads that wait for each other are slow under qemu

# Packs have to be NEON registers: fused operations on two doubles or four floats.
for pair in "double 2d" "single 4s"; do
  # shellcheck disable=SC2086
  set -- $pair
  object=$(find "$build" -path "*lanes_baseline_lanes_$1_friction.dir*" -name '*.o')
  echo "$1: $(aarch64-linux-gnu-objdump -d "$object" | grep -cE "fml[as][[:space:]]+v[0-9]+\.$2") fused operations on packs (fmla, fmls v.$2)," \
    "$(aarch64-linux-gnu-objdump -d "$object" | grep -cE "fn?m(add|sub)[[:space:]]+[ds][0-9]") on single values"
done

cd "$root"
same=0 differ=0
table=$(mktemp)
cache=$(mktemp -d)
trap 'rm -rf "$table" "$cache"' EXIT
# Kernels for the run come from the compiler that built the program; the system runs it as it is, beside qemu.
of_first() {
  XDG_CACHE_HOME="$cache" omniroll run studies/first.json --hash --threads 1 --set 'vary[0].linspace=[0.05,0.6,4]' \
    --set 'vary[1].linspace=[0,0.785,4]' --set 'output={}' --set integrator.duration=0.1 --set "engine.compile=\"$1\"" < /dev/null 2>&1
}
general=$(of_first never | sed -n 's/^ *hash *//p')
for way in "compiled for the run" kept; do
  of_first always > "$cache/said"
  grep "^kernels" "$cache/said" || true
  grep -q "$way" "$cache/said" || { echo "DIFFERS: first.json does not say \"$way\""; differ=$((differ + 1)); }
  grep -q "$general" "$cache/said" || { echo "DIFFERS: first.json, compiled: not the hash $general"; differ=$((differ + 1)); }
done
# Study, precision, hash, law ("-": its own) and what it runs with (nothing, or a member of the study), a row a line.
python3 - tests/parity/test_golden.c > "$table" <<'END'
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
strings = re.compile(r'"((?:[^"\\]|\\.)*)"')
members = {name: "".join(strings.findall(value)).replace('\\"', '"')
           for name, value in re.findall(r"^#define (\w+)\s((?:.*\\\n)*.*)", text, re.M)}
for study, precision, found, law, member in re.findall(r'\{"(\w+)", "(\w+)", "(\w+)", (\S+), (\w+)\},', text):
    print(study, precision, found, "-" if law == "NULL" else law.strip('"'), members.get(member, ""))
END
while read -r study precision hash law member; do
  set -- "tests/parity/$study.json" --hash --quiet --backend openmp --threads 1 --precision "$precision"
  [ "$law" = - ] || set -- "$@" --set "parameters.contact.law=$law"
  [ -z "$member" ] || set -- "$@" --set "$member"
  found=$(omniroll run "$@" < /dev/null)
  if [ "$found" = "$hash" ]; then
    same=$((same + 1))
  else
    differ=$((differ + 1))
    echo "DIFFERS: $study $precision $law $member: $found, not $hash"
  fi
done < "$table"
echo "$same of $((same + differ)) golden hashes are the same as on x86-64"
[ "$differ" -eq 0 ] && [ "$same" -gt 0 ]
