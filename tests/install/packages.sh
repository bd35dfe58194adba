#!/bin/sh
# The trees that the .deb and the tarball are made of, without packing them: where files lie, what finds what. tests/long/packages.sh
# makes the packages themselves.
#   packages.sh BUILD_FOLDER CMAKE [PYTHON]
set -eu
build=$1 cmake=$2 python=${3-/usr/bin/python3}
source=$(cd "$(dirname "$0")/../.." && pwd)
command -v dpkg-architecture > /dev/null && command -v readelf > /dev/null || { echo "not on Debian"; exit 77; }
SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "$*"; failed=1; }

# tree FOLDER COMPONENT...: what CPack would pack.
tree() {
  folder=$1
  shift
  for component in "$@"; do
    "$cmake" --install "$build" --component "$component" --prefix "$folder" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  done
}
runs() { # PROGRAM STUDIES: a study in memory, with units, from a place that knows nothing of this folder
  (cd / && env -i PATH=/usr/bin:/bin "$1" validate "$2/first.json" --set 'parameters.platform.mass="20 lb"' > "$work/log" 2>&1) ||
    { cat "$work/log"; fail "$1 does not run"; }
}

echo "== .deb"
usr=$work/deb/usr
tree "$usr" runtime
"$cmake" -DCPACK_TEMPORARY_INSTALL_DIRECTORY="$work/deb" -DCPACK_OMNIROLL_SOURCE="$source" -DCPACK_PACKAGE_VERSION=1.2.3 \
  -DCPACK_DEBIAN_PACKAGE_RELEASE=1 -DCPACK_OMNIROLL_MAINTAINER='Somebody <somebody@example.org>' \
  -P "$source/cmake/packaging/debian.cmake" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
libraries=$usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
for file in "$usr/bin/omniroll" "$libraries/libomniroll.so.0" "$usr/lib/python3/dist-packages/omniroll/__init__.py" \
  "$usr/share/omniroll/analysis/omniroll/__init__.py" "$usr/share/omniroll/analysis/omniroll/study_types.pyi" \
  "$usr/share/omniroll/studies/first.json" "$usr/share/omniroll/studies/papers/published.py" "$usr/share/man/man1/omniroll.1.gz" \
  "$usr/share/bash-completion/completions/omniroll" "$usr/share/zsh/vendor-completions/_omniroll" "$usr/share/doc/omniroll/copyright" \
  "$usr/share/doc/omniroll/changelog.gz" "$usr/share/doc/omniroll/changelog.Debian.gz"; do
  [ -s "$file" ] || fail "not in the .deb: $file"
done
"$python" -B "$source/tests/install/sbom.py" "$usr/share/doc/omniroll/omniroll.spdx.json" "$usr/bin/omniroll" "$libraries"/libomniroll.so.*.* \
  --epoch $SOURCE_DATE_EPOCH || fail ".deb: bill of materials"
gzip -dc "$usr/share/doc/omniroll/changelog.Debian.gz" | grep -q '^omniroll (1.2.3-1) ' || fail "changelog without version"
for file in "$usr/bin/omniroll" "$libraries"/libomniroll.so.*.*; do
  ! readelf -d "$file" | grep -E '\((RPATH|RUNPATH)\)' || fail "$file looks for libraries by itself"
done
# One time for everything, that of the sources (tests/long/reproducible.sh compares two packages).
other=$(find "$work/deb" ! -newermt @$((SOURCE_DATE_EPOCH - 1)) -o -newermt @$SOURCE_DATE_EPOCH | head -n 3)
[ -z "$other" ] || fail "of another time: $other"
strange=$(find "$work/deb" ! -type d \( -name '*.pyc' -o -name '*.h' -o -name '*.a' -o -path '*site-functions*' -o -name '*.1' \))
[ -z "$strange" ] || fail "in the .deb: $strange"
# Data files of the Python package lie beside its modules.
(cd "$source/analysis/omniroll" && find . -type f ! -name '*.pyc') | while read -r file; do
  [ -e "$usr/lib/python3/dist-packages/omniroll/$file" ] || echo "$file"
done > "$work/missing"
[ ! -s "$work/missing" ] || fail "of the Python package, not in the .deb: $(cat "$work/missing")"
runs "$usr/bin/omniroll" "$usr/share/omniroll/studies"
sh "$source/tests/install/hardened.sh" "$build" "$usr/bin/omniroll" "$libraries"/libomniroll.so.*.* || fail ".deb: not hardened"

! grep -rl OMNIROLL_FAILPOINT "$work/deb" || fail "failure points in the .deb"

echo "== tarball"
prefix="$work/a folder"
tree "$prefix" runtime development bundle
mv "$prefix" "$prefix moved"
prefix="$prefix moved"
for file in include/omniroll/omniroll.h lib/libomniroll.so lib/libomniroll.so.0 share/omniroll/udunits/udunits2.xml README.txt \
  share/doc/omniroll/licences/packages.txt; do
  [ -s "$prefix/$file" ] || fail "not in the tarball: $file"
done
runs "$prefix/bin/omniroll" "$prefix/share/omniroll/studies"
"$python" -B "$source/tests/install/sbom.py" "$prefix/share/doc/omniroll/omniroll.spdx.json" "$prefix/bin/omniroll" "$prefix"/lib/libomniroll.so.*.* \
  --beside "$prefix/share/doc/omniroll/licences/packages.txt" --epoch $SOURCE_DATE_EPOCH || fail "tarball: bill of materials"
! grep -rl OMNIROLL_FAILPOINT "$prefix" || fail "failure points in the tarball"
sh "$source/tests/install/hardened.sh" "$build" "$prefix/bin/omniroll" "$prefix"/lib/libomniroll.so.*.* || fail "tarball: not hardened"
# From elsewhere come the C library's parts and nothing else.
for file in "$prefix/bin/omniroll" "$prefix"/lib/libomniroll.so.0; do
  env -i ldd "$file" | grep -v -F "$prefix/" |
    grep -v -E 'linux-vdso|ld-linux|/lib(c|m|dl|pthread|rt|resolv|util|anl|nsl|mvec)\.so' && fail "$file takes these from the system"
done
(cd / && env -i PATH=/usr/bin:/bin PYTHONPATH="$prefix/share/omniroll/analysis" "$python" -B -c "
import omniroll.library
omniroll.library.text_of('omr_describe_json_in', b'omni_vehicle', None)
# (HDF5 is that of h5py, which is there before.)
path = omniroll.library.library()._name
assert path.startswith('$prefix/'), path
mapped = {line.split(maxsplit=5)[5].strip() for line in open('/proc/self/maps') if 'libcjson' in line}
assert mapped and all(name.startswith('$prefix/') for name in mapped), mapped
") || fail "Python does not find the tarball's library"
# The unit database is the tarball's own: with another text in it, units are not known.
echo '<broken' > "$prefix/share/omniroll/udunits/udunits2.xml"
if "$prefix/bin/omniroll" validate "$prefix/share/omniroll/studies/first.json" > "$work/log" 2>&1; then
  fail "the unit database of the tarball is not read"
fi
grep -q -F "$prefix/bin/../share/omniroll/udunits/udunits2.xml" "$work/log" || { cat "$work/log"; fail "not the database of the tarball"; }
exit $failed
