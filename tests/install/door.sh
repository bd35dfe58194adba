#!/bin/sh
# Installs a build into a temporary prefix, compiles host/cli against the installed headers and libomniroll.so alone (beside them it
# has the rows of host/lists, the C library and cJSON), and compares what that program prints with what the ordinary one prints.
#   door.sh BUILD_FOLDER CMAKE C_COMPILER
set -eu
build=$1 cmake=$2 cc=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

"$cmake" --install "$build" --prefix "$prefix" > "$work/install.log" || { cat "$work/install.log"; exit 1; }
library=$(find "$prefix" -name libomniroll.so)
[ -n "$library" ] || { echo "libomniroll.so is not installed"; exit 1; }

# A copy, so that no other header of the project is near.
mkdir -p "$work/source"
cp -r "$root/host/cli" "$work/source/cli"
cp -r "$root/host/lists" "$work/source/lists"
find "$work/source/lists" -name '*.[ch]' -delete
cp "$build/generated/lists/words.h" "$work/source/lists" # words of the rows, which CMake makes
"$cc" -std=gnu17 -O0 -Wall -Wextra -Werror -I "$prefix/include" -I "$work/source" "$work"/source/cli/*.c -L "$(dirname "$library")" -lomniroll -lcjson -lm -o "$work/outside"
LD_LIBRARY_PATH=$(dirname "$library")
export LD_LIBRARY_PATH
echo "host/cli: compiled against the installed library"

cp "$root/studies/first.json" "$work"
cd "$work"
small='--set integrator.duration=0.02 --set vary[0].linspace=[0.1,0.5,4] --set vary[1].linspace=[0,0.5,4]'
count=0

# What both print, with code and errors; times and speeds are no part of what is compared.
as_is() { cat; }
no_numbers() { sed 's/[0-9][0-9.e+-]*/N/g; s/  */ /g'; }
same() {
  filter=$1
  shift
  for name in inside outside; do
    program=$work/outside
    [ "$name" = outside ] || program=$build/omniroll
    code=0
    "$program" "$@" > "$name.out" 2> "$name.err" || code=$?
    { "$filter" < "$name.out"; "$filter" < "$name.err"; echo "exit code $code"; } > "$name.txt"
  done
  cmp -s inside.txt outside.txt || { echo "omniroll $* differs:"; diff inside.txt outside.txt; exit 1; }
  count=$((count + 1))
}

for command in "" run resume merge compare reference plan analyze export sample bench converge calibrate excite evaluate new devices selftest describe schema validate help; do
  # No command is one word less.
  # shellcheck disable=SC2086
  same as_is help $command
done
same as_is --version
same as_is help --json
same as_is help --man
same as_is help --completion bash
same as_is help --paths first.json
same as_is validate first.json
same as_is validate first.json --json
same as_is describe omni_vehicle
same as_is describe omni_vehicle --json
same as_is schema
same as_is devices
same as_is devices --json
same as_is new --list --json
same as_is new monte_carlo -o -
same as_is new nosuch
same as_is bench --help
same as_is bench --section nosuch
same as_is selftest --device nosuch
same as_is selftset
same as_is nosuch.h5
# The options are words.
# shellcheck disable=SC2086
{
  same as_is run first.json $small --hash -q
  same no_numbers run first.json $small --hash --json
  same as_is sample first.json $small
  same no_numbers plan first.json $small --json
  same no_numbers compare first.json $small --instances 0
  same no_numbers reference first.json $small --instances 0 --json
  same as_is converge first.json $small --observables nosuch
  same as_is calibrate first.json $small
  # Both find a result to replace, and say so.
  "$build/omniroll" run first.json $small -o result.h5 -q
  same no_numbers run first.json $small -o result.h5
  same as_is run first.json $small -o no/folder.h5
}
same as_is export result.h5
same as_is export result.h5 --json -o result.json
same no_numbers analyze result.h5
same as_is analyze result.h5 --set engine.threads=1
same as_is resume result.h5
echo "$count commands print what the ordinary program prints"
