#!/bin/sh
# Is every C file as clang-format 14 and .clang-format lay it out?   format.sh CLANG_FORMAT
set -eu
cd "$(dirname "$0")/.."
find host kernels tests \( -name '*.[ch]' -o -name '*.inc' \) -print | xargs "$1" --dry-run --Werror
