#!/bin/sh
# Every starter study of `omniroll new`, whole: no failed instance, no warning, below 10 s on two idle cores, and answers that make
# sense: a criterion that some of the drawn instances meet, a rare one with a small probability.
#   sh tests/long/starters.sh OMNIROLL [SECONDS]      default: 10 s each; about 2 minutes on two cores
set -eu
export LC_ALL=C OMP_WAIT_POLICY=passive
program=$(realpath "$1")
most=${2:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0
kinds=$("$program" new --list | sed -n '/^Kinds:/,/^$/s/^  \([a-z_]*\).*/\1/p')
models=$("$program" new --list | sed -n '/^Models/,$s/^  \([a-z_]*\).*/\1/p')
[ -n "$kinds" ] && [ -n "$models" ] || exit 1
# met AND of: the share of the criterion over all instances
share() { sed -n 's/.*"name": "fail".*"met": \([0-9]*\), "not_met": \([0-9]*\).*/\1 \2/p' "$1" | head -1 | awk '{ print $1, $1 + $2 }'; }
for kind in $kinds; do
  for model in $models; do
    name=${kind}_$model
    "$program" new "$kind" --model "$model" -o "$name.json" -q 2> refused || { grep -q 'is about' refused || { cat refused >&2; failed=1; }; continue; }
    begin=$(date +%s.%N)
    "$program" run -v "$name.json" > "$name.out" 2> "$name.err" || { echo "$name: exit code $?" >&2; cat "$name.err" >&2; failed=1; continue; }
    seconds=$(awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')
    grep -qi warning "$name.err" && { echo "$name: $(cat "$name.err")" >&2; failed=1; }
    grep -q ', 0 failed' "$name.out" || { echo "$name: instances failed" >&2; failed=1; }
    awk -v s="$seconds" -v m="$most" 'BEGIN { exit !(s < m) }'  || { echo "$name takes $seconds s" >&2; failed=1; }
    "$program" analyze "$name.h5" --json > "$name.again" || { echo "$name: the result cannot be read" >&2; failed=1; }
    case $kind in
    monte_carlo|nested|sensitivity)
      # shellcheck disable=SC2046
      set -- $(share "$name.again")
      if [ "${1:-0}" -eq 0 ] || [ "$1" -ge "$2" ]; then
        echo "$name: the criterion is met by ${1:-0} of ${2:-0}" >&2
        failed=1
      fi ;;
    rare)
      p=$(awk '/by subset simulation/ { getline; sub(/,.*/, ""); print $1 }' "$name.out")
      awk -v p="${p:-0}" 'BEGIN { exit !(p > 0 && p < 0.02) }' || {
        echo "$name: probability '$p'" >&2
        failed=1
      } ;;
    esac
    printf '%-32s %6.1f s\n' "$name" "$seconds"
  done
done
exit "$failed"
