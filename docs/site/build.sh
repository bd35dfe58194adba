#!/bin/sh
# Builds the documentation's site, static HTML that needs no server and no network: build.sh [--no-reports] [FOLDER], by default build/site.
# Needs the Debian packages that "sh tests/install_packages.sh all" installs; the gallery's reports besides the built program.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
options=
[ "${1-}" != --no-reports ] || { options=$1; shift; }
case ${1-} in
  -h | --help) echo "build.sh [--no-reports] [FOLDER]: the site into FOLDER, by default build/site"; exit 0 ;;
  -*) echo "build.sh does not know $1; build.sh [--no-reports] [FOLDER]" >&2; exit 2 ;;
esac
# shellcheck disable=SC2086
exec env PYTHONPATH="$root/analysis" PYTHONDONTWRITEBYTECODE=1 "${OMNIROLL_PYTHON:-/usr/bin/python3}" "$root/docs/site/build.py" $options "${1:-$root/build/site}"
