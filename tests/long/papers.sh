#!/bin/sh
# All figures of the source papers by the program, twice: the second time from the results of the first, to the same bytes.
#   sh tests/long/papers.sh PROGRAM [--quick]
set -eu
program=$(realpath "$1")
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$program" figures "$@" -o first
count=$("$program" figures --list | grep -c "^[a-z]")
for ending in png svg; do
  found=$(find first -maxdepth 1 -name "*.$ending" -size +4k | wc -l)
  [ "$found" -eq "$count" ] || { echo "$found of $count figures as $ending" >&2; exit 1; }
done

cp -r first second
rm second/*.png second/*.svg second/index.html
"$program" figures "$@" -o second 2>said
! grep -E ' s   ([0-9]+ instance|reference)' said || { echo "a study ran although its result was there" >&2; exit 1; }
for file in first/*.png first/*.svg first/index.html; do
  cmp "$file" "second/${file#first/}"
done
echo "all $count figures drawn, and drawn again to the same bytes"
