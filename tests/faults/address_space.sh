#!/bin/sh
# Commands with ever less address space (ulimit -v), from what the program needs to start: each ends with its result or with an error, none
# by a signal, and none without a word. HDF5 and UDUNITS crash where they get no memory, so that the program has to ask before them.
#
#   sh tests/faults/address_space.sh PROGRAM
set -u
[ $# -eq 1 ] || { sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
cat > s.json << 'EOF'
{"model": "omni_vehicle", "vary": [{"path": "wheel.friction", "uniform": [0.1, 0.5]}],
 "design": {"type": "monte_carlo", "instances": 8}, "integrator": {"step": "1 ms", "duration": "10 ms"},
 "statistics": {"fail": {"fast": "max_slip > 2 mm/s"}}, "engine": {"backend": "openmp", "threads": 1}}
EOF
"$program" run s.json -q -o kept.h5 || exit 1

starts() { { (ulimit -v "$1" && exec "$program" --version) > /dev/null 2>&1; } 2> /dev/null; }
starts 4000000 || { echo 'a program that wants terabytes of addresses, as the sanitizers do'; exit 77; }
low=1000 high=4000000
while [ $((high - low)) -gt 100 ]; do
  middle=$(((low + high) / 2))
  if starts $middle; then high=$middle; else low=$middle; fi
done
high=$((high + 400)) # below, libraries that HDF5 loads end the process before main()

bad=0 trials=0 refused=0
# try LIMIT ARGUMENT...: with so many KiB.
try() {
  limit=$1
  shift
  rm -rf r.h5 r.h5.parts
  (ulimit -v "$limit" && exec "$program" "$@") > out 2> errors
  code=$?
  trials=$((trials + 1))
  case $code in
    0) cmp -s out "plain-$1" || [ "$1" = run ] || { bad=1; echo "$* with $limit KiB: other output than with enough"; } ;;
    3 | 5 | 6)
      refused=$((refused + 1))
      grep -q '^omniroll: ' errors || { bad=1; echo "$* with $limit KiB: exit code $code without a message"; }
      ;;
    *) bad=1 && echo "$* with $limit KiB: exit code $code" && head -n 3 errors ;;
  esac
  [ "$1" != run ] || [ $code -ne 0 ] || { "$program" export r.h5 | cmp -s - plain-export || { bad=1; echo "run with $limit KiB: another result"; }; }
}
for command in 'validate s.json' 'export kept.h5' 'verify kept.h5' 'analyze kept.h5' 'run s.json -q -o r.h5'; do
  # The words are words on purpose.
  # shellcheck disable=SC2086
  [ "${command%% *}" = run ] || "$program" $command > "plain-${command%% *}" 2> /dev/null || exit 1
  limit=$high more=0
  while [ $more -lt 75000 ]; do
    # shellcheck disable=SC2086
    try $((limit + more)) $command
    # densely where the first allocations fail
    if [ $more -lt 2000 ]; then more=$((more + 250)); else more=$((more + 5000)); fi
  done
done
echo "$trials runs from $high KiB up, $refused of them refused for want of memory"
[ $refused -gt 0 ] || { echo 'none was refused: the limits are too high to show anything'; bad=1; }
exit $bad
