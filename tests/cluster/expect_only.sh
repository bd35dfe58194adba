#!/bin/sh
# Exit code 1 where a folder holds anything but the files named, hidden ones included: expect_only.sh FOLDER NAME...
set -eu
folder=$1
shift
found=$(cd "$folder" && find . -mindepth 1 -maxdepth 1 | sed "s|^..||" | sort)
wanted=$(printf '%s\n' "$@" | sort)
[ "$found" = "$wanted" ] || { printf 'the folder should hold\n%s\nand holds\n%s\n' "$wanted" "$found"; exit 1; }
