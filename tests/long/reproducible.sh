#!/bin/sh
# Two builds of the .deb from the same sources, in folders of different names, with other umask, time zone, language and number of jobs: one
# hash, or a list of what differs.
#
#   sh tests/long/reproducible.sh [-k] [cmake options]
#
# Options such as -DOMNIROLL_LANE_SCALAR_ONLY=ON make it short; without them the packages are those that people get. -k keeps the folder.
# Sources are the files that git knows, as they are now. Exit code 77: dpkg-deb or git is not here.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
command -v dpkg-deb > /dev/null && command -v git > /dev/null || { echo "needs dpkg-deb and git"; exit 77; }
keep=
[ "${1-}" != -k ] || { keep=1; shift; }
work=$(mktemp -d)
# finish runs in the trap.
# shellcheck disable=SC2317
finish() { if [ -n "$keep" ]; then echo "kept: $work"; else rm -rf "$work"; fi; }
trap finish EXIT
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

# Of one moment for both: the first build takes long, and the tree may change meanwhile.
git -C "$source" ls-files -z | tar -C "$source" --null --files-from=- --create --file="$work/source.tar"

build() { # FOLDER JOBS CMAKE_OPTION...: leaves FOLDER.deb
  folder=$1 jobs=$2
  shift 2
  built=$folder/source/build/deb
  mkdir -p "$folder/source/build"
  tar -C "$folder/source" --extract --file="$work/source.tar"
  ln -s "$source/build/headers" "$folder/source/build/" # of tests/install_packages.sh
  cmake -S "$folder/source" -B "$built" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF "$@" > "$folder/log" 2>&1 &&
    nice ninja -C "$built" -j "$jobs" omniroll_program omniroll omniroll_shared manual >> "$folder/log" 2>&1 &&
    (cd "$built" && cpack -G DEB >> "$folder/log" 2>&1) || { tail -n 30 "$folder/log"; exit 1; }
  cp "$built"/omniroll_*.deb "$folder.deb"
}
first=$work/first second=$work/a-longer-name-of-a-folder/second
mkdir -p "$(dirname "$second")"
(umask 022 && TZ=UTC LC_ALL=C build "$first" 2 "$@")
# Without a cache of compilers, which would give the first build's objects.
(umask 077 && CCACHE_DISABLE=1 TZ=Pacific/Auckland LC_ALL=C.UTF-8 HOME=$work build "$second" 1 "$@")

sha256sum "$first.deb" "$second.deb" | sed "s|$work/||"
if cmp -s "$first.deb" "$second.deb"; then
  echo "the same: $(basename "$(echo "$first"/source/build/deb/omniroll_*.deb)"), $(wc -c < "$first.deb") bytes"
  exit 0
fi
for name in "$first" "$second"; do
  mkdir "$name/unpacked" && dpkg-deb --raw-extract "$name.deb" "$name/unpacked"
  (cd "$name/unpacked" && find . -printf '%p %M %s %T@\n' | sort) > "$name/list"
  ar tv "$name.deb" >> "$name/list"
done
echo "the packages differ:"
diff "$first/list" "$second/list" || true
diff -rq "$first/unpacked" "$second/unpacked" || true
exit 1
