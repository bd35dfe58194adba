#!/bin/sh
# Installs the Debian packages that omniroll needs, where some are not there yet; asks nothing.
#   install_packages.sh build    to build the program, and to run and plot studies from Python
#   install_packages.sh all      to run the tests as well
# With `list` behind it, it says which are missing, headers (below) among them, and installs none.
# Of SUNDIALS and LAPACKE, which the reference needs, the libraries alone are installed: libsundials-dev would bring 150 packages, 484 MB.
# Their headers are taken out of their -dev packages into build/headers, once; without a network "build" leaves them out and says so.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

build="build-essential cmake ninja-build pkg-config libcjson-dev libhdf5-dev zlib1g-dev libudunits2-dev librandom123-dev libxxhash-dev
  opencl-headers ocl-icd-opencl-dev python3 python3-numpy python3-h5py python3-matplotlib
  python3-xarray python3-xxhash python3-tqdm"
reference="libsundials-cvode6 liblapacke"
tests="clang lld libclang-rt-14-dev clang-format libomp-dev libcriterion-dev pocl-opencl-icd mesa-opencl-icd libclc-15 oclgrind python3-emcee python3-h5netcdf python3-netcdf4 python3-jsonschema zsh
  slurm-wlm munge openmpi-bin chromium gcovr python3-sphinx python3-myst-parser furo libjs-katex python3-pip python3-distributed python3-mpi4py python3-zarr"

case ${1-} in
  build) wanted=$build ;;
  all) wanted="$build $tests mypy" ;;
  *) echo "usage: $0 build|all [list]" >&2; exit 2 ;;
esac

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Those of these packages that are not installed.
missing() {
  for package in "$@"; do
    installed "$package" || printf ' %s' "$package"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else
    echo "neither root nor sudo is here" >&2
    return 1
  fi
}

install() {
  [ $# -gt 0 ] || return 0
  echo "installing: $*"
  if ! { as_root apt-get update -qq && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; }; then
    echo "the packages could not be installed; as root, once there is a network: apt-get install $*" >&2
    return 1
  fi
}

has_headers() { installed "$1" || [ -d "$root/build/headers/$1" ]; }

# headers DEV LIBRARY: those of package DEV, of the version that LIBRARY has. (An unprivileged user of apt's own may not write there.)
headers() {
  if has_headers "$1"; then return 0; fi
  package=$1=$(dpkg-query -W -f '${Version}' "$2")
  mkdir -p "$root/build/headers"
  work=$(mktemp -d "$root/build/headers/XXXXXX")
  apt-cache show "$package" >/dev/null 2>&1 || as_root apt-get update -qq || true
  (cd "$work" && apt-get download -qq -o APT::Sandbox::User=root "$package" && dpkg-deb -x "$1"_*.deb . && mv usr/include "../$1") || {
    rm -rf "$work"
    return 1
  }
  rm -rf "$work"
}

if [ "${2-}" = list ]; then
  # shellcheck disable=SC2086
  missing $wanted $reference
  for package in libsundials-dev liblapacke-dev; do has_headers "$package" || printf ' %s' "$package:headers"; done
  exit 0
fi
# Lists of words on purpose.
# shellcheck disable=SC2046,SC2086
install $(missing $wanted) || exit 1
# shellcheck disable=SC2046,SC2086
if ! { install $(missing $reference) && headers libsundials-dev libsundials-cvode6 && headers liblapacke-dev liblapacke; }; then
  echo "what SUNDIALS and LAPACKE lack here leaves the program without the reference (omniroll compare, omniroll reference, model multibody);" \
    "once there is a network: bash studies/first.sh" >&2
  [ "$1" = build ]
fi

# Optional, from the Python registry, into build/python: without them tests of the search, of environments and of exported models are skipped.
# optional FOLDER TESTS PACKAGES
optional() {
  [ -d "$root/build/python/$1" ] && return
  folder=$1 without=$2
  shift 2
  python3 -m pip install --quiet --no-deps --disable-pip-version-check --root-user-action ignore --target "$root/build/python" "$@" ||
    echo "$folder could not be installed: $without are skipped" >&2
}
if [ "$1" = all ]; then
  optional cmaes "tests of omniroll optimize" 'cmaes>=0.13.1,<0.14'
  optional gymnasium "tests of environments" 'gymnasium>=1.4,<1.5' farama-notifications cloudpickle typing-extensions
  optional mujoco "tests of exported models" mujoco==4.0.0 mujoco-core==4.0.0
fi
