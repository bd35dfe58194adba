#!/bin/sh
# The compiler reads the text of an instruction set whose objects this build leaves out: no error, no warning.
#   lane_text.sh SOURCE BUILD LANES_DOUBLE LANES_SINGLE COMPILER FLAGS...
set -eu
source=$1 build=$2 doubles=$3 singles=$4
shift 4
# -O1: without it gcc's intrinsics are macros, whose conversions it warns of.
text() { # LANES SINGLE CONSTRAINED: and the rest of the command line
  lanes=$1 single=$2 constrained=$3
  shift 3
  "$@" -O1 -fsyntax-only -std=gnu17 -Wall -Wextra -Wconversion -Wdouble-promotion -Werror -ffp-contract=off -DOMR_KIND=lanes "-DOMR_LANES=$lanes" \
    "-DOMR_SINGLE=$single" "-DOMR_CONSTRAINED=$constrained" -DOMR_LAW_NAME=text -I"$source" -I"$source/host" \
    -I"$source/host/include" -I"$build/generated" "$source/host/lanes/lanes.c"
}
for constrained in 0 1; do
  text "$doubles" 0 $constrained "$@"
  text "$singles" 1 $constrained "$@"
done
echo "the compiler read 4 texts"
