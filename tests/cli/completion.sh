#!/bin/bash
# Completion of the command line, asked as the shells ask.
#   completion.sh OMNIROLL
set -eu
export LC_ALL=C
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" help --completion bash > "$work/omniroll"
"$program" help --completion zsh > "$work/_omniroll"
cd "$work"
touch "a study.json" other.json result.h5 notes.txt
mkdir folder
bash -n omniroll
failed=0

# complete_words EXPECTED WORD...: the last word is being written
complete_words() {
  expected=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _omniroll
  found=$(printf '%s\n' "${COMPREPLY[@]+"${COMPREPLY[@]}"}" | sort | paste -sd' ')
  [ "$found" = "$expected" ] || { echo "$*: expected '$expected', found '$found'" >&2; failed=1; }
}

# shellcheck disable=SC2317
compopt() { :; } # only while completing
# shellcheck source=/dev/null
source ./omniroll
set +e # as where somebody types
complete_words "describe devices" omniroll de
complete_words "--help" omniroll --h
complete_words "a study.json folder other.json" omniroll run ""
complete_words "other.json" omniroll run --quiet oth
complete_words "folder result.h5" omniroll export ""
complete_words "folder" omniroll merge ""
complete_words "--precision" omniroll run --pr
complete_words "--restart" omniroll run --rest
complete_words "" omniroll validate --rest
complete_words "double single" omniroll run --precision ""
complete_words "opencl openmp" omniroll run --backend = op
complete_words "auto opencl openmp scalar" omniroll run --backend =
complete_words "spheres" omniroll export-model --shape sp
complete_words "notes.txt" omniroll run -o note
# shellcheck disable=SC2317
omniroll() { "$program" "$@"; } # asked for paths
complete_words "parameters.wheel.friction=" omniroll run --set parameters.wheel.fr
complete_words "integrator.accept= integrator.duration= integrator.method= integrator.on_failure= integrator.stability= integrator.step= integrator.step_error=" omniroll validate --set integrator.
echo '{"model": "wheelset", "parameters": {"half_track": 0.2}}' > "track.json"
complete_words "parameters.half_track=" omniroll run track.json --set parameters.half
rm track.json
complete_words "monte_carlo" omniroll new mon
complete_words "mecanum mecanum_tracking" omniroll new --model mec
complete_words "omni_vehicle omni_wheel" omniroll describe omni
complete_words "motor.gear_ratio" omniroll describe --frame ros omni_vehicle motor.g
complete_words "merge" omniroll help mer
# every command that --help lists, and every option of each
commands=$("$program" --help | sed -n 's/^  \([a-z][a-z-]*\).*/\1/p')
for command in $commands; do
  complete_words "$(echo "$commands" | grep "^$command" | sort | paste -sd' ')" omniroll "$command"
  for option in $("$program" "$command" --help | sed -n '/^Options:/,/^Examples:\|^Files:\|^Environment:\|^Exit codes:/s/^  \(-[a-z], \|    \)\(--[a-z-]*\).*/\2/p'); do
    COMP_WORDS=(omniroll "$command" "$option") COMP_CWORD=2
    _omniroll
    case " ${COMPREPLY[*]} " in *" $option "*) ;; *) echo "$command $option is not completed" >&2; failed=1 ;; esac
  done
done

if command -v zsh >/dev/null; then
  zsh -n _omniroll
  # What the completion tells zsh's own functions.
  zsh -f -c '
    compdef() { : }; _arguments() { print -rl -- "$@" }; _describe() { print -rl -- "${(@P)4}" }
    source ./_omniroll
    words=(omniroll "") CURRENT=2; _omniroll
    words=(omniroll run "") CURRENT=3; _omniroll
    words=(omniroll describe "") CURRENT=3; _omniroll
    words=(omniroll new "") CURRENT=3; _omniroll' > zsh.txt
  for expected in "run:run a study and write its result" "*--set=[replace or add a member of the study, such as integrator.step=1e-4]:PATH=VALUE:" \
    '1:STUDY:_files -g "*.json"' "(-o --output)-o+[where the result goes]:FILE:_files" "--precision=[double or single]:NAME:(double single)" "1:MODEL:(omni_vehicle omni_wheel " \
    ':PATH=VALUE:_omniroll_paths' '[KIND]:(single sweep '; do
    grep -qF -- "$expected" zsh.txt || { echo "zsh is not told: $expected" >&2; cat zsh.txt >&2; failed=1; }
  done
else
  echo "[PART] zsh: it is not here, so that its completion was not tried"
fi
[ "$failed" = 0 ] && echo "completed"
exit "$failed"
