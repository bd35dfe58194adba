#!/bin/sh
# The .deb and the tarball as their users meet them: makes both, installs the .deb with apt in a clean Debian 12, uses everything that it
# brings, removes it and looks for what is left; unpacks the tarball in a Debian 12 that has none of its libraries, and moves it.
# Needs root, debootstrap and the network; lintian where it is there.
#
#   sh tests/long/packages.sh [-o DIR] [BUILD]
#
# BUILD: a build folder with program, libraries and manual built (default: build/packages, built here, with lane objects for three wheels
# and any number). -o: the packages go there (default: BUILD/packages).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
# shellcheck source=tests/long/debian_root.sh
. "$here/debian_root.sh"
own_mounts "$0" "$@"

out=''
while getopts o: option; do
  case $option in
    o) mkdir -p "$OPTARG" && out=$(cd "$OPTARG" && pwd) ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
build=${1-}
if [ -z "$build" ]; then
  build=$source/build/packages
  cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DOMNIROLL_LANE_SETS=all -DBUILD_TESTING=OFF > /dev/null
  cmake --build "$build" -j "$(nproc)" > "$build/build.log" 2>&1 || { tail -n 40 "$build/build.log" >&2; exit 1; }
fi
build=$(cd "$build" && pwd)
out=${out:-$build/packages}

work=$(mktemp -d)
finish() {
  umount -R "$work"/*/proc "$work"/*/sys "$work"/*/dev/shm 2> /dev/null || true
  rm -rf --one-file-system "$work"
}
trap finish EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
# check TEXT COMMAND...: prints TEXT, and the last line that the command printed.
check() {
  text=$1
  shift
  if "$@" > "$work/said" 2>&1 < /dev/null; then
    printf '  %-34s %s\n' "$text" "$(tail -n 1 "$work/said" | cut -c 1-110)"
  else
    fail "$text"
    sed 's/^/    /' "$work/said" | tail -n 20
  fi
}

echo "== packages"
rm -f "$out"/omniroll*.deb "$out"/omniroll*.tar.gz
cpack --config "$build/CPackConfig.cmake" -B "$out" > "$work/cpack.log" 2>&1 || { tail -n 30 "$work/cpack.log" >&2; exit 1; }
rm -rf "$out/_CPack_Packages"
deb=$(echo "$out"/omniroll*.deb)
tarball=$(echo "$out"/omniroll*.tar.gz)
ls -l "$deb" "$tarball" | awk '{ printf "  %.1f MB %s\n", $5 / 1e6, $9 }'
dpkg-deb --field "$deb" Package Version Architecture Depends Recommends Suggests Installed-Size | sed 's/^/  /'
if command -v lintian > /dev/null; then
  lintian --fail-on error --tag-display-limit 0 --allow-root "$deb" > "$work/lintian" 2>&1 || fail "lintian"
  sed 's/^/  /' "$work/lintian"
fi

echo "== a clean Debian 12"
make_root "$work/deb" bash-completion man-db
chroot "$work/deb" useradd --create-home --shell /bin/bash user
chroot "$work/deb" apt-get update -qq
cp -a --one-file-system "$work/deb" "$work/tar"
mount -t proc proc "$work/tar/proc"
mount --rbind --make-rslave /sys "$work/tar/sys"
mount -t tmpfs -o mode=1777 tmpfs "$work/tar/dev/shm"

echo "== .deb"
cp "$deb" "$work/deb/tmp/"
name=$(basename "$deb")
as_user() { in_root "$work/deb" user sh -c "cd && $1"; }
as_root() { in_root "$work/deb" root sh -c "$1"; }
simulated() { as_root "apt-get install --simulate $1 /tmp/$name | grep -c '^Inst '"; }
echo "  packages with it: $(simulated ''), without what is recommended: $(simulated --no-install-recommends)"
check 'apt-get install' as_root "DEBIAN_FRONTEND=noninteractive apt-get install -y -q /tmp/$name && dpkg -s omniroll | grep ^Status"
check 'omniroll --version' as_user 'omniroll --version | head -n 1'
check 'omniroll selftest' as_user 'omniroll selftest'
check 'omniroll run' as_user \
  'omniroll run /usr/share/omniroll/studies/first.json -o first.h5 --set "integrator.duration=\"20 ms\"" --set "vary[0].linspace=[0.1,0.6,8]" \
    --set "vary[1].linspace=[0,\"45 deg\",8]" --set "output.trajectories.instances=[0,9]" > log 2>&1; code=$?; head -n 3 log | tail -n 1; test $code = 0'
if as_user 'omniroll help' | grep -q '^ *report '; then
  check 'omniroll report' as_user 'omniroll report first.h5 && test -s first.html && ls -s first.html'
  check 'omniroll figures' as_user 'omniroll figures --list source2-fig9'
else
  check 'python3 -m omniroll.plot' as_user 'python3 -m omniroll.plot first.h5 && ls first-plots/*.png | wc -l'
fi
check 'omniroll compare' as_user 'omniroll compare /usr/share/omniroll/studies/first.json --instances 0 --set "integrator.duration=0.05" | tail -n 1'
check 'import omniroll' as_user 'python3 -c "
import omniroll, omniroll.library
print(omniroll.open(\"first.h5\").sizes[\"instance\"], \"instances,\", omniroll.__file__)"'
check 'omniroll.run in Python' as_user 'python3 -c "
import omniroll, omniroll.library
result = omniroll.run({\"model\": \"omni_vehicle\", \"integrator\": {\"duration\": 0.01, \"step\": 1e-4}})
assert result.sizes[\"instance\"] == 1
print(omniroll.library.library()._name, [l.split()[-1] for l in open(\"/proc/self/maps\") if \"libomniroll\" in l][0])"'
check 'man omniroll' as_user 'MANWIDTH=80 man omniroll | grep -c . && MANWIDTH=80 man omniroll | grep -m 1 "omniroll - "'
check 'whatis omniroll' as_user 'mandb -uq; whatis omniroll'
check 'completion in bash' as_user \
  'bash -c ". /usr/share/bash-completion/bash_completion; _completion_loader omniroll; complete -p omniroll"'
check 'completion of zsh is there' as_user 'ls /usr/share/zsh/vendor-completions/_omniroll'
check 'copyright, changelog' as_user \
  'zcat /usr/share/doc/omniroll/changelog.Debian.gz | head -n 1; head -n 1 /usr/share/doc/omniroll/copyright'
check 'dpkg --verify' as_root 'test -z "$(dpkg --verify omniroll)"'
check 'byte-compiled for root' as_root 'ls /usr/lib/python3/dist-packages/omniroll/__pycache__ | wc -l'
check 'apt-get remove' as_root 'apt-get remove -y -q omniroll'
check 'apt-get purge' as_root 'apt-get purge -y -q omniroll && ! dpkg -s omniroll'
check 'nothing is left' as_root \
  'left=$(find / -xdev -name "*omniroll*" ! -path "/proc/*" ! -path "/tmp/*" ! -path "/home/*" ! -path "/var/log/*"); echo "$left"; test -z "$left"'
umount -R "$work/deb/proc" "$work/deb/sys" "$work/deb/dev/shm"
rm -rf --one-file-system "$work/deb"

echo "== tarball"
folder="/home/user/a moved folder/omniroll"
as_user() { in_root "$work/tar" user sh -c "cd && $1"; }
as_root() { in_root "$work/tar" root sh -c "$1"; }
cp "$tarball" "$work/tar/home/user/"
check 'tar -xf' as_user "tar -xf $(basename "$tarball") && ls -d omniroll-*/"
# What the loader takes from elsewhere than the folder is the C library's.
strangers='ldd "$1/bin/omniroll" "$1/lib/libomniroll.so.0" > ldd.log; ! grep "not found" ldd.log &&
  sed -n "s|.*=> \(/[^ ]*\).*|\1|p" ldd.log | grep -v "^/home/user/" | sed "s|.*/||" | sort -u | tr "\n" " "'
try_tarball() {
  check "$1: libraries of the system" as_user "sh -c '$strangers' sh \"$2\""
  check "$1: --version" as_user "\"$2/bin/omniroll\" --version | head -n 1"
  check "$1: selftest" as_user "\"$2/bin/omniroll\" selftest"
  check "$1: run" as_user "\"$2/bin/omniroll\" run \"$2/share/omniroll/studies/first.json\" -o first.h5 --set 'integrator.duration=\"20 ms\"' \
    --set 'vary[0].linspace=[0.1,0.6,8]' --set 'vary[1].linspace=[0,\"45 deg\",8]' --set 'output.trajectories.instances=[0]' && rm first.h5"
  check "$1: units" as_user "\"$2/bin/omniroll\" validate \"$2/share/omniroll/studies/first.json\" --set 'parameters.platform.mass=\"20 lb\"'"
}
try_tarball 'unpacked' "\$(echo ~/omniroll-*/)"
as_user "mkdir -p '$(dirname "$folder")' && mv omniroll-*/ '$folder'"
try_tarball 'moved' "$folder"
check 'moved: through a link' as_user "ln -s '$folder/bin/omniroll' link && ./link selftest"
check 'moved: called by its name' as_user "PATH=\"$folder/bin:\$PATH\" omniroll validate '$folder/share/omniroll/studies/first.json'"
check 'licences of the libraries' as_user \
  "cd '$folder/share/doc/omniroll/licences' && tail -n +4 packages.txt | cut -d ' ' -f 1 |
    while read -r p; do test -s \"\$p\" || exit 1; done && ls | wc -l"
check 'Python from apt' as_root \
  'DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends python3-numpy python3-h5py python3-xarray python3-matplotlib python3-xxhash && python3 --version'
check 'moved: Python' as_user "PYTHONPATH='$folder/share/omniroll/analysis' python3 -B -c '
import omniroll, omniroll.library
result = omniroll.run({\"model\": \"omni_vehicle\", \"integrator\": {\"duration\": \"0.01 s\", \"step\": 1e-4}})
assert result.sizes[\"instance\"] == 1
assert \"/a moved folder/\" in omniroll.library.library()._name
print(omniroll.library.library()._name)'"
if as_user "'$folder/bin/omniroll' help" | grep -q '^ *report '; then
  check 'moved: report' as_user "PATH=\"$folder/bin:\$PATH\"; omniroll run '$folder/share/omniroll/studies/first.json' -o r.h5 --quiet \
    --set 'integrator.duration=\"20 ms\"' && omniroll report r.h5 && ls -s r.html"
fi

echo "$failures failures; packages in $out"
[ "$failures" -eq 0 ]
