#!/bin/sh
# Runs one fuzz target for some seconds, or some rounds of them on a busy machine: from its seeds, the ready studies where it reads studies,
# and what earlier runs have found.
#   target.sh PROGRAM SECONDS FOLDER [libFuzzer options]
# New inputs go to FOLDER/corpus/NAME, what fails to FOLDER/artifacts/NAME-*. Prints how many inputs were tried. The exit code is not 0
# where one failed; "PROGRAM ARTIFACT" shows it again. Every input is limited to 25 s and 2 GB.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
program=$1
seconds=$2
folder=$3
shift 3
name=$(basename "$program")
name=${name#test_fuzz_}
mkdir -p "$folder/corpus/$name" "$folder/artifacts" "$folder/logs"
log=$folder/logs/$name.log
case $name in
  study|api) seeds=$(printf '%s,' "$root"/studies/*.json "$root"/tests/parity/*.json) ;;
  *) seeds= ;;
esac
dictionary=
if [ -f "$here/$name.dict" ]; then dictionary=-dict=$here/$name.dict; fi
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=PASSIVE
export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=1:allocator_may_return_null=1:handle_abort=1"
export LSAN_OPTIONS="${LSAN_OPTIONS-}:suppressions=$root/tests/lsan.supp:print_suppressions=0"
export UBSAN_OPTIONS="${UBSAN_OPTIONS-}:print_stacktrace=1:halt_on_error=1"
status=0
total=0
round=0
# A busy machine gets up to six rounds for 50 inputs. A target that has fewer then fails, since it tests next to nothing.
while [ "$status" -eq 0 ] && [ "$total" -lt 50 ] && [ "$round" -lt 6 ]; do
  round=$((round + 1))
  "$program" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 ${dictionary:+"$dictionary"} \
    ${seeds:+"-seed_inputs=${seeds%,}"} -artifact_prefix="$folder/artifacts/$name-" "$@" \
    "$folder/corpus/$name" "$here/seeds/$name" > "$log" 2>&1 || status=$?
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
  total=$((total + ${executions:-0}))
done
echo "$name: $total inputs in $((round * seconds)) s, exit code $status ($log)"
if [ "$status" -ne 0 ]; then tail -n 60 "$log"; fi
if [ "$status" -eq 0 ] && [ "$total" -lt 50 ]; then echo "$name: fewer than 50 inputs"; status=1; fi
exit "$status"
