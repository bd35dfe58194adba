#!/bin/sh
# Installs a build into a temporary prefix and builds a program against it, with pkg-config and with find_package; so are the examples of
# docs/reference/c.md and docs/development/building.md, by the command that stands there. Then a study runs from the installed Python package, which finds the
# installed library.
#   install.sh BUILD_FOLDER CMAKE C_COMPILER [PYTHON]
set -eu
build=$1 cmake=$2 cc=$3 python=${4-/usr/bin/python3}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

"$cmake" --install "$build" --prefix "$prefix" > "$work/install.log" || { cat "$work/install.log"; exit 1; }
"$prefix/bin/omniroll" --version
for file in share/man/man1/omniroll.1 share/man/man1/omniroll-run.1 share/bash-completion/completions/omniroll share/zsh/site-functions/_omniroll share/omniroll/studies share/omniroll/analysis share/omniroll/docs/index.md; do
  test -e "$prefix/$file" || { echo "not installed: $file"; exit 1; }
done

# The names are words on purpose.
# shellcheck disable=SC2046
sh "$here/hardened.sh" "$build" "$prefix/bin/omniroll" $(find "$prefix" -name 'libomniroll.so.*.*') || exit 1
echo "hardened: program and library"

# Kernels compiled ahead, where the build option OMNIROLL_KERNELS installs them, serve without a compiler.
study="$here/../parity/one_wheel.json"
env -u OMNIROLL_CACHE XDG_CACHE_HOME="$work/cache" "$prefix/bin/omniroll" warm "$study" --backend openmp > /dev/null 2>&1
mkdir -p "$prefix/lib/omniroll/kernels"
cp "$work"/cache/omniroll/*.lane "$prefix/lib/omniroll/kernels"
OMNIROLL_CC=/nonexistent OMNIROLL_CACHE=0 "$prefix/bin/omniroll" run "$study" --hash -v --backend openmp --set engine.compile=always \
  > "$work/ahead.log" 2>&1
grep -q '^kernels .*compiled ahead' "$work/ahead.log" || { cat "$work/ahead.log"; exit 1; }
echo "kernels compiled ahead: taken"

pc=$(find "$prefix" -name omniroll.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
# The flags are words on purpose.
# shellcheck disable=SC2046
"$cc" "$here/consumer.c" $(pkg-config --static --cflags --libs omniroll) -o "$work/consumer"
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") "$work/consumer" > "$work/consumer.log" || { cat "$work/consumer.log"; exit 1; }
echo "pkg-config: built and ran"

"$cmake" -S "$here" -B "$work/consumer-build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" > "$work/cmake.log"
"$cmake" --build "$work/consumer-build" >> "$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
"$work/consumer-build/consumer" > "$work/consumer.log" || { cat "$work/consumer.log"; exit 1; }
echo "find_package: built and ran"

# The first block of a language, from its page.
block() { awk -v fence="\`\`\`$2" '$0 == fence { on = 1; next } on && /^```$/ { exit } on' "$here/../../$1"; }
block docs/reference/c.md c > "$work/drift.c"
block docs/development/building.md cmake > "$work/CMakeLists.txt"
mkdir "$work/studies"
cp "$here/../../studies/first.json" "$work/studies"
# A quarter of a second of some vehicles says as much here.
sed -i 's/"integrator.duration=1"/"integrator.duration=0.04"/' "$work/drift.c"
shown=$(sed -n 's/^    \(cc drift\.c .*\|\.\/drift .*\)$/\1/p' "$here/../../docs/reference/c.md")
[ -n "$shown" ] || { echo "docs/reference/c.md has no command that compiles drift.c"; exit 1; }
(
  cd "$work"
  cc() { "$cc" "$@"; }
  LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
  export LD_LIBRARY_PATH
  eval "$shown"
) > "$work/drift.log" 2> "$work/drift.err" || { cat "$work/drift.log" "$work/drift.err"; exit 1; }
grep -q '^mean odometry error of 4096 vehicles: .* m$' "$work/drift.log" || { cat "$work/drift.log"; exit 1; }
# A name that no column has is told, and nothing is read for it.
sed 's/"odometry_error"/"odometry_eror"/' "$work/drift.c" > "$work/misspelt.c"
# shellcheck disable=SC2046
"$cc" "$work/misspelt.c" $(pkg-config --cflags --libs omniroll) -o "$work/misspelt"
code=0
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") "$work/misspelt" "$work/studies/first.json" > "$work/misspelt.log" 2>&1 || code=$?
if [ "$code" != 2 ] || ! grep -q 'no such column' "$work/misspelt.log"; then cat "$work/misspelt.log"; echo "a misspelt name: code $code"; exit 1; fi
"$cmake" -S "$work" -B "$work/drift-build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" > "$work/cmake.log"
"$cmake" --build "$work/drift-build" >> "$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
test -x "$work/drift-build/drift"
echo "examples of the pages: built and ran"

cd "$work"
# The environment of the tests names the library of the build.
env -u OMNIROLL_LIBRARY PYTHONPATH="$prefix/share/omniroll/analysis" "$python" -B -c "
import omniroll, omniroll.library
study = {'model': 'omni_vehicle', 'integrator': {'duration': 0.01, 'step': 1e-4}}
assert omniroll.run(study).sizes['instance'] == 1
path = omniroll.library.library()._name
assert path.startswith('$prefix/'), path
" || exit 1
echo "python: ran a study"

# The installed program finds the installed package.
printf '{"model": "snakeboard", "integrator": {"duration": 0.1, "step": 1e-2}}' > study.json
"$prefix/bin/omniroll" run study.json -q && OMNIROLL_PYTHON=$python "$prefix/bin/omniroll" report study.h5 || exit 1
grep -q '<style>' study.html || { echo "the report has no style"; exit 1; }
echo "report: written"
