#!/bin/sh
# Manual pages: there for every command, without a warning, with what such a page has; examples with options that there are.
#   man.sh OMNIROLL
set -eu
export LC_ALL=C
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" help --man-folder "$work"
failed=0
commands=$("$program" --help | sed -n 's/^  \([a-z][a-z-]*\).*/\1/p')
for command in $commands; do
  page=$work/omniroll-$command.1
  for part in '^.TH OMNIROLL' '^.SH NAME' '^.SH SYNOPSIS' '^.SH DESCRIPTION' '^.SH OPTIONS' '^.SH EXAMPLES' '^.SH "EXIT STATUS"' \
    'NO_COLOR' '^.SH "SEE ALSO"'; do
    grep -q -- "$part" "$page" || { echo "omniroll-$command.1 has no $part" >&2; failed=1; }
  done
  "$program" help "$command" > "$work/help"
  sed -n '/^Examples:/,/^[A-Z].*:$/s/^  omniroll //p' "$work/help" | while read -r line; do
    for word in $line; do
      case $word in
        --*) grep -q -- "^  \(-[a-z],\|   \) $word\( \|\$\)" "$work/help" || { echo "omniroll $line: there is no $word" >&2; touch "$work/failed"; } ;;
      esac
    done
    first=${line%% *}
    [ "$first" = "$command" ] || { echo "omniroll $line: an example of $command" >&2; touch "$work/failed"; }
  done
done
[ ! -e "$work/failed" ] || failed=1
tried=0
for tool in groff mandoc; do
  command -v "$tool" >/dev/null || echo "[PART] $tool: it is not here, so that it did not read the pages"
done
for page in "$work"/*.1; do
  if command -v groff >/dev/null; then
    tried=1
    warnings=$(groff -ww -z -man -Tutf8 "$page" 2>&1)
    [ -z "$warnings" ] || { echo "$page: $warnings" >&2; failed=1; }
  fi
  if command -v mandoc >/dev/null; then # a page without a release has no date
    tried=1
    warnings=$(mandoc -T lint -W warning "$page" 2>&1 | grep -v 'missing date' || true)
    [ -z "$warnings" ] || { echo "$page: $warnings" >&2; failed=1; }
  fi
done
[ "$failed" = 0 ] || exit 1
[ "$tried" = 1 ] || { echo "neither groff nor mandoc is here"; exit 77; }
echo "no warnings"
