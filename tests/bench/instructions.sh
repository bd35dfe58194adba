#!/bin/sh
# Machine instructions per step of a lane object, by class, beside the operations that its text counts (host/bench/count.h).
#
#   tests/bench/instructions.sh [-b BUILD] [-i ISA] [-k compiled|openmp|scalar] [-p double|single] [-n STEPS] [-l] [-c] [-t TOLERANCE]
#                               [STUDY [path=value ...]]
#
#   -b  build folder with tests/step_instructions (default build; cmake --build BUILD --target step_instructions)
#   -i  instruction set: avx512, avx2, baseline (default: the widest that runs here)
#   -k  compiled: an object that is compiled for the study (default); openmp, scalar: the general ones
#   -n  steps (default 16)
#   -l  lists the executed instructions too, with how often each of them is executed per step
#   -c  compares the sum with valgrind --tool=callgrind, which knows avx2 and less
#   -t  fails where executed and counted operations differ by more than this, as a fraction
#
# "per pack": of a pack of lanes; "per instance": divided by the lanes that run; "counted": per instance, from the text of
# the same precision alone. "with memory": arithmetic that reads one of its operands from memory. The executed operations of a lane
# include rejected passes, the counted ones do not. Every instruction on a pack counts for all of the pack's width. Exit code 77: what it needs is not here.
build=build isa= kind=compiled precision=double steps=16 list= callgrind= tolerance=
here=$(dirname "$0")
while getopts b:i:k:p:n:lct: option; do
  case $option in
    b) build=$OPTARG ;;
    i) isa=$OPTARG ;;
    k) kind=$OPTARG ;;
    p) precision=$OPTARG ;;
    n) steps=$OPTARG ;;
    l) list=1 ;;
    c) callgrind=1 ;;
    t) tolerance=$OPTARG ;;
    *) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
study=${1:-studies/first.json}
[ $# -gt 0 ] && shift

tool=$build/tests/step_instructions
[ -x "$tool" ] || { echo "$tool is not there: cmake --build $build --target step_instructions" >&2; exit 2; }
command -v objdump > /dev/null || { echo "needs objdump: sudo apt-get install binutils" >&2; exit 77; }
if [ -z "$isa" ]; then
  for isa in avx512 avx2 baseline; do
    "$build/omniroll" devices | grep -q "^openmp *$isa .*runs here" && break
  done
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
backend=$kind compile=never
[ "$kind" != compiled ] || backend=openmp compile=always
set -- engine.backend="$backend" engine.compile=$compile engine.device="$isa" engine.precision="$precision" engine.threads=1 "$@"
unset OMNIROLL_CACHE
export XDG_CACHE_HOME="$folder"
"$tool" "$study" "$steps" "$@" > "$folder/counts" || exit $?
kept=$(sed -n 's/^# code //p' "$folder/counts")
code=${kept:+$folder/omniroll/$kept}
first=$(awk '!/^#/ { print $1; exit }' "$folder/counts")
[ -n "$first" ] || { echo "$study: no instruction was counted, since it takes no fixed steps: add 'integrator={\"step\": ..., \"duration\": ...}'" >&2; exit 2; }
last=$(awk '!/^#/ { last = $1 } END { print last }' "$folder/counts")
objdump -d --no-show-raw-insn --start-address=0x"$first" --stop-address=$((0x$last + 16)) "${code:-$tool}" > "$folder/code"

[ -z "$list" ] || awk 'FNR == NR { if (!/^#/) n[$1 ":"] = $2; else if ($2 == "pack_steps") steps = $3; next }
  $1 in n { printf "%10.2f  %s\n", n[$1] / steps, $0 }' "$folder/counts" "$folder/code"
echo "$study, $isa $kind $precision, $steps steps"
awk -v tolerance="$tolerance" -f "$here/instructions.awk" "$folder/counts" "$folder/code" || exit 1

if [ -n "$callgrind" ]; then
  command -v valgrind > /dev/null || { echo "needs valgrind" >&2; exit 77; }
  for n in 0 "$steps"; do
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=advance \
      "$tool" --plain "$study" "$n" "$@" 2> "$folder/callgrind" || { cat "$folder/callgrind" >&2; exit 1; }
    sed -n 's/.*Collected : *//p' "$folder/callgrind"
  done | awk -v steps="$steps" 'NR == 1 { start = $1 } NR == 2 { printf "instructions per pack by callgrind: %.1f\n", ($1 - start) / steps }'
fi
