#!/bin/sh
# Fuzzes for hours: every target in turn on every core, in rounds of equal length, keeps what fails, and in the end makes the corpora small.
#   campaign.sh HOURS [TARGET...]        (HOURS may be a fraction; JOBS=N takes fewer cores)
# Builds the preset "fuzz" first. Corpora, logs and artifacts are in build/fuzz/fuzz. Prints inputs per target and in all; the exit code is
# not 0 where an input failed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
[ $# -ge 1 ] || { echo "usage: $0 HOURS [TARGET...]" >&2; exit 2; }
hours=$1
shift
cd "$root"
jobs=${JOBS:-$(nproc)}
targets=${*:-$(for source in "$here"/fuzz_*.c; do basename "$source" .c | sed 's/^fuzz_//'; done)}
cmake --preset fuzz > build/fuzz.log 2>&1 || { mkdir -p build; cmake --preset fuzz; }
# Words on purpose.
# shellcheck disable=SC2046,SC2086
cmake --build --preset fuzz -j "$jobs" --target $(printf 'test_fuzz_%s ' $targets)
folder=$root/build/fuzz/fuzz
mkdir -p "$folder"
counts=$folder/counts.txt
: > "$counts"
number=$(echo "$targets" | wc -w)
# A round gives each target ten minutes at most, so that all have been tried long before the end.
seconds=$(awk -v h="$hours" -v n="$number" -v j="$jobs" 'BEGIN {s = h * 3600 * j / n; print int(s < 1 ? 1 : s)}')
slice=$((seconds < 600 ? seconds : 600))
rounds=$(((seconds + slice - 1) / slice))
failed=0
round=0
while [ "$round" -lt "$rounds" ]; do
  round=$((round + 1))
  echo "$targets" | tr ' ' '\n' | sed '/^$/d' |
    xargs -P "$jobs" -I NAME sh "$here/target.sh" "$root/build/fuzz/tests/test_fuzz_NAME" "$slice" "$folder" > "$folder/round.txt" || failed=1
  cat "$folder/round.txt"
  grep ' inputs in ' "$folder/round.txt" >> "$counts" || true
done
for name in $targets; do
  # What covers the same becomes one: the kept corpus stays small.
  rm -rf "$folder/corpus/$name.small"
  mkdir "$folder/corpus/$name.small"
  if "$root/build/fuzz/tests/test_fuzz_$name" -merge=1 -max_len=8192 "$folder/corpus/$name.small" "$folder/corpus/$name" "$here/seeds/$name" \
    > "$folder/logs/$name.merge.log" 2>&1; then
    rm -rf "$folder/corpus/$name"
    mv "$folder/corpus/$name.small" "$folder/corpus/$name"
  else
    echo "$name: the corpus could not be made small ($folder/logs/$name.merge.log)"
    failed=1
  fi
done
echo "== inputs of each target"
awk '{sub(":", "", $1); n[$1] += $2; all += $2} END {for (t in n) print t, n[t]; print "all", all}' "$counts"
find "$folder/artifacts" -type f | sed 's/^/failed: /'
exit $failed
