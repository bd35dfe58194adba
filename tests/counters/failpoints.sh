#!/bin/sh
# Failure points are in the program that the tests build for them, and in nothing that is shipped.
#   failpoints.sh PROGRAM_WITH_FAILPOINTS SHIPPED...
set -eu
words='OMNIROLL_FAILPOINT OMNIROLL_PHASE_LOG'
with=$1
shift
failed=0
for word in $words; do
  strings -a "$with" | grep -q "$word" || { echo "$word is not in $with: this test would find nothing"; failed=1; }
  for file in "$@"; do
    ! strings -a "$file" | grep "$word" || { echo "$word is in $file"; failed=1; }
  done
done
exit $failed
