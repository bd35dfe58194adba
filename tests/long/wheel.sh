#!/bin/sh
# The wheel (cmake/packaging/wheel.sh) as its users meet it: in a clean Debian that has Python and no compiler, no -dev package and none of
# the libraries, pip installs it in a virtual environment, where program and package do what they are for.
# Needs root, debootstrap and the network.
#
#   sh tests/long/wheel.sh [WHEEL [PYTHON...]]
#
# WHEEL: default: made here, which takes half an hour. PYTHON: other Pythons, by their paths, whose environments get it as well.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
# shellcheck source=tests/long/debian_root.sh
. "$here/debian_root.sh"
own_mounts "$0" "$@"

work=$(mktemp -d)
finish() {
  umount -R "$work"/root/proc "$work"/root/sys "$work"/root/dev/shm 2> /dev/null || true
  rm -rf --one-file-system "$work"
}
trap finish EXIT
wheel=${1-}
if [ -z "$wheel" ]; then
  sh "$source/cmake/packaging/wheel.sh" "$work/wheel"
  wheel=$(echo "$work"/wheel/omniroll-*.whl)
fi
[ $# -eq 0 ] || shift
/usr/bin/python3 -m zipfile -e "$wheel" "$work/whole"
failures=0
# check TEXT COMMAND...: prints TEXT, the seconds, and the last line that the command printed.
check() {
  text=$1
  shift
  begin=$(date +%s)
  if "$@" > "$work/said" 2>&1 < /dev/null; then
    printf '  %-34s %4d s  %s\n' "$text" $(($(date +%s) - begin)) "$(tail -n 1 "$work/said" | cut -c 1-110)"
  else
    failures=$((failures + 1))
    echo "FAILED: $text"
    sed 's/^/    /' "$work/said" | tail -n 20
  fi
}
small() { [ "$(stat -c %s "$wheel")" -le 25000000 ] && echo "$(stat -c %s "$wheel") bytes, $(basename "$wheel")"; }

# The libraries that auditwheel has put in, all of a permissive licence but GCC's, which has its exception; libquadmath, which LAPACK in
# Fortran brings, has none.
permissive() {
  (cd "$work/whole/omniroll.libs" && echo lib*) | sed 's/-[0-9a-f]*\.so[.0-9]*//g' | tr ' ' '\n' | sort > "$work/libraries"
  ! grep -vxE 'lib(OpenCL|cjson|gomp|sundials_cvode|udunits2|xxhash)' "$work/libraries" && tr '\n' ' ' < "$work/libraries"
}

# What the wheel computes on this machine, whose compiler makes an object for the run.
compiled_bits() {
  native=$work/whole/omniroll/native
  chmod +x "$native/bin/omniroll"
  OMNIROLL_CACHE=0 sh -c "'$native/bin/omniroll' run '$native/share/omniroll/studies/first.json' --hash $short --set 'engine.compile=\"always\"'" > "$work/bits" &&
    grep '^hash' "$work/bits" && grep '^kernels *compiled for the run' "$work/bits"
}

# try COMMAND_PREFIX...: all that an environment with the wheel is asked, as a user of a folder without anything.
studies='$(python -c "import omniroll; print(*omniroll.__path__)")/native/share/omniroll/studies'
short="--set 'integrator.duration=\"20 ms\"' --set 'vary[0].linspace=[0.1,0.6,8]' --set 'vary[1].linspace=[0,\"45 deg\",8]'"
try() {
  check 'its own library and program' "$@" 'omniroll --version; [ $(omniroll --version | grep -c "/env/.*/omniroll/native/") = 2 ]'
  check 'python -m omniroll selftest' "$@" 'python -m omniroll selftest'
  check 'omniroll run' "$@" "omniroll run \"$studies/first.json\" -o first.h5 $short --set 'output.trajectories.instances=[0,9]'"
  check 'bits of compiled code, one note' "$@" "omniroll run \"$studies/first.json\" --hash $short --set 'engine.compile=\"always\"' > hash 2> notes
    cat hash notes; [ \$(grep -c 'nothing is compiled' notes) -le 1 ] && echo \"$bits:\" \$(grep '^kernels' hash) && grep -qx '${bits:-none}' hash"
  check 'types of studies' "$@" 'python -c "from omniroll.study_types import StudyDict"'
  check 'omniroll figures' "$@" 'omniroll figures --list source2-fig9'
  check 'omniroll report' "$@" 'omniroll report first.h5 && test -s first.html && ls -s first.html'
  check 'omniroll plot' "$@" 'omniroll-plot first.h5 && ls first-plots/*.png'
  check 'omniroll calibrate' "$@" "omniroll calibrate \"$studies/calibrate.json\" -o fitted.h5 && ls -s fitted.h5"
  check 'omniroll compare' "$@" "omniroll compare \"$studies/first.json\" $short --instances 0"
  check 'omniroll reference' "$@" "omniroll reference \"$studies/first.json\" $short --instances 0"
  check 'OpenCL of the system' "$@" 'omniroll devices'
  check 'units of the database' "$@" "omniroll validate \"$studies/first.json\" --set 'parameters.platform.mass=\"20 lb\"'"
  check 'import omniroll, h5py beside it' "$@" 'python -c "
import h5py, omniroll
result = omniroll.run({\"model\": \"omni_vehicle\", \"integrator\": {\"duration\": 0.01, \"step\": 1e-4}}, output=\"one.h5\")
print(result.sizes[\"instance\"], len(h5py.File(\"one.h5\")), h5py.version.hdf5_version)"'
}

echo "== a clean Debian 12"
make_root "$work/root" python3-venv
chroot "$work/root" useradd --create-home --shell /bin/bash user
as_user() { in_root "$work/root" user sh -c "cd && PATH=~/env/bin:\$PATH && $1"; }
check 'at most 25 MB' small
# What it needs of the registry comes from this machine's pip; the root itself has no network.
mkdir "$work/root/wheels"
cp "$wheel" "$work/root/wheels"
/usr/bin/python3 -m venv "$work/pip"
check 'libraries inside' permissive
check 'compiled, run here' compiled_bits
bits=$(sed -n '/^hash/p' "$work/bits")
check 'what it needs, by pip' "$work/pip/bin/pip" download -q --only-binary :all: -d "$work/root/wheels" "$wheel"
check 'no compiler, no libraries' as_user '! command -v cc gcc clang && ! ls /usr/lib/*/libhdf5* /usr/lib/*/libudunits* /usr/lib/*/libgomp* /usr/share/xml/udunits 2> /dev/null'
check 'pip install' as_user 'python3 -m venv env && pip install -q --no-index --find-links /wheels omniroll && du -sh env/lib/python3*/site-packages/omniroll*'
check 'licences of what is inside' as_user 'cd env/lib/python3*/site-packages/omniroll/native/share/doc/omniroll/licences &&
  tail -n +4 packages.txt | cut -d " " -f 1 | while read -r p; do test -s "$p" || exit 1; done && tail -n +4 packages.txt | wc -l'
try as_user

for python in "$@"; do
  echo "== $python"
  rm -rf "$work/user" && mkdir "$work/user"
  here() { (cd "$work/user" && env -i PATH="$work/user/env/bin:/usr/bin:/bin" LANG=C.UTF-8 sh -c "$1"); }
  check 'pip install' sh -c "'$python' -m venv '$work/user/env' && '$work/user/env/bin/pip' install -q '$wheel'"
  try here
done
echo "$failures failures"
[ "$failures" -eq 0 ]
