#!/bin/sh
# Installs the Debian packages that omniroll needs, where some are not there yet; asks nothing.
#   install_packages.sh build    to build the program, and to run and plot studies from Python
#   install_packages.sh all      to run the tests as well
# With `list` behind it, it says which are missing and installs none.
set -eu

build="build-essential cmake ninja-build pkg-config libcjson-dev libhdf5-dev zlib1g-dev libudunits2-dev librandom123-dev libxxhash-dev
  opencl-headers ocl-icd-opencl-dev liblapacke-dev python3 python3-numpy python3-h5py python3-matplotlib
  python3-xarray python3-tqdm"
tests="clang libclang-rt-14-dev clang-format libomp-dev libcriterion-dev libsundials-dev pocl-opencl-icd mesa-opencl-icd libclc-15 oclgrind python3-emcee python3-h5netcdf python3-netcdf4 python3-jsonschema zsh
  slurm-wlm munge openmpi-bin chromium gcovr python3-sphinx python3-myst-parser furo libjs-katex"

case ${1-} in
  build) wanted=$build ;;
  all) wanted="$build $tests mypy" ;;
  *) echo "usage: $0 build|all [list]" >&2; exit 2 ;;
esac

missing=
for package in $wanted; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=
  [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
[ "${2-}" != list ] || { echo "$missing"; exit 0; }

if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null; then
  as_root=sudo
else
  echo "these packages are missing, and neither root nor sudo is here to install them:$missing" >&2
  exit 1
fi
echo "installing:$missing"
# Lists of words on purpose.
# shellcheck disable=SC2086
{
  $as_root apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
} || {
  echo "the packages could not be installed; once there is a network: apt-get install$missing" >&2
  exit 1
}
