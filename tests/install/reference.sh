#!/bin/sh
# Do the packages of studies/first.sh give a program with the reference? tests/install_packages.sh runs on a machine that it is told of: all is
# installed but for the -dev packages of SUNDIALS and LAPACKE, and apt has them, or no network. Then CMake looks where these are hidden.
#   reference.sh CMAKE C_COMPILER CVODE_INCLUDE CVODE_LIBRARY LAPACKE_INCLUDE LAPACKE_LIBRARY
set -eu
cmake=$1 cc=$2 cvode_include=$3 cvode=$4 lapacke_include=$5 lapacke=$6
root=$(cd "$(dirname "$0")/../.." && pwd)
{ command -v dpkg-deb && dpkg -S "$(readlink -f "$cvode")" "$(readlink -f "$lapacke")"; } > /dev/null 2>&1 ||
  { echo "SUNDIALS and LAPACKE are not Debian's here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; cat "$work/log"; exit 1; }

mkdir -p "$work/bin" "$work/source/tests" "$work/source/cmake"
cp "$root/tests/install_packages.sh" "$work/source/tests"
cp "$root/cmake/dependencies.cmake" "$work/source/cmake"

# The -dev packages as apt would bring them, of this machine's headers.
for package in libsundials-dev liblapacke-dev; do
  mkdir -p "$work/$package/DEBIAN" "$work/$package/usr/include"
  printf 'Package: %s\nVersion: 1\nArchitecture: all\nMaintainer: nobody\nDescription: none\n' $package > "$work/$package/DEBIAN/control"
done
cp -r "$cvode_include/cvode" "$cvode_include/nvector" "$cvode_include"/sun* "$work/libsundials-dev/usr/include"
cp "$lapacke_include"/lapack*.h "$work/liblapacke-dev/usr/include"

cat > "$work/bin/dpkg-query" << END
#!/bin/sh
case \$3 in *Version*) echo 1; exit ;; esac
echo "\$4" >> "$work/asked"
case \$4 in libsundials-dev | liblapacke-dev) [ -e "$work/whole" ] || exit 1 ;; esac
echo installed
END
cat > "$work/bin/apt-get" << END
#!/bin/sh
echo "\$*" >> "$work/calls"
[ ! -e "$work/offline" ] || exit 100
for word in "\$@"; do
  case \$word in lib*=1) dpkg-deb -b "$work/\${word%=1}" "\${word%=1}_1_all.deb" ;; esac
done
END
printf '#!/bin/sh\n' > "$work/bin/apt-cache"
chmod +x "$work"/bin/*
calls() { wc -l < "$work/calls"; }
packages() { PATH=$work/bin:$PATH sh "$work/source/tests/install_packages.sh" "$1" > "$work/log" 2>&1; }
: > "$work/calls"

touch "$work/whole"
packages build || fail "packages are not enough where all are installed"
[ "$(calls)" = 0 ] || fail "calls apt where the -dev packages are installed: $(cat "$work/calls")"
for library in "$cvode" "$lapacke"; do
  owner=$(dpkg -S "$(readlink -f "$library")" | sed 's/[:,].*//')
  grep -qx "$owner" "$work/asked" || fail "studies/first.sh does not install $owner, which has $library"
done
rm "$work/whole"

# studies/first.sh asks for this list. In a clean clone the headers alone may be missing.
PATH=$work/bin:$PATH sh "$work/source/tests/install_packages.sh" build list | grep -q 'libsundials-dev:headers liblapacke-dev:headers' ||
  fail "the list says that nothing is missing where headers are"

touch "$work/offline"
packages build || fail "without a network the program is not built"
grep -q 'once there is a network: bash studies/first.sh' "$work/log" || fail "without a network no remedy is told"
! packages all || fail "without a network the tests would run without the reference"
rm "$work/offline"

packages build || fail "the headers are not taken"
before=$(calls)
packages build || fail "a second time fails"
[ "$(calls)" = "$before" ] || fail "a second time calls apt: $(cat "$work/calls")"
echo "packages: once, and told where there is no network"

# This machine without what the -dev packages have.
multiarch=$(basename "$(dirname "$cvode")")
for folder in include "lib/$multiarch"; do
  mkdir -p "$work/system/usr/$folder"
  find "/usr/$folder" -mindepth 1 -maxdepth 1 ! -name 'lapack*' ! -name cvode ! -name nvector ! -name 'sun*' \
    ! -name 'libsundials_*.so' ! -name 'libsundials_*.a' ! -name liblapacke.so ! -name liblapacke.a -exec ln -s -t "$work/system/usr/$folder" {} +
done
cat > "$work/source/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.25)
project(probe LANGUAGES C)
find_package(OpenMP COMPONENTS C)
set(CMAKE_IGNORE_PATH /usr/include /usr/lib/$multiarch /lib/$multiarch)
set(CMAKE_PREFIX_PATH $work/system/usr)
set(CMAKE_LIBRARY_ARCHITECTURE $multiarch)
set(OMNIROLL_LAPACK ON)
set(OMNIROLL_REFERENCE ON)
include(cmake/dependencies.cmake)
message(STATUS "\${OMNIROLL_CVODE_INCLUDE} \${OMNIROLL_CVODE_LIBRARY} \${OMNIROLL_LAPACKE_INCLUDE} \${OMNIROLL_LAPACKE_LIBRARY}")
add_executable(probe probe.c)
target_link_libraries(probe PRIVATE omniroll::dependencies)
END
{
  cat "$root"/host/reference/*.c "$root"/host/reference/*/*.c | grep -E '^#include <(cvode|nvector|sun|lapack)' | sort -u
  cat << 'END'
int main(void) {
  SUNContext context;
  if (SUNContext_Create(NULL, &context) != 0) return 1;
  N_Vector v = N_VNew_Serial(2, context);
  void *cvode = CVodeCreate(CV_BDF, context);
  SUNMatrix matrix = SUNDenseMatrix(2, 2, context);
  double a[] = {2, 0, 0, 4}, b[] = {2, 4};
  lapack_int pivot[2];
  const int solved = LAPACKE_dgesv(LAPACK_COL_MAJOR, 2, 1, a, 2, pivot, b, 2);
  const int made = v && cvode && matrix && SUNLinSol_Dense(v, matrix, context) && SUNNonlinSol_FixedPoint(v, 0, context);
  return !(made && solved == 0 && b[0] == 1 && b[1] == 1);
}
END
} > "$work/source/probe.c"
"$cmake" -S "$work/source" -B "$work/built" -DCMAKE_C_COMPILER="$cc" > "$work/log" 2>&1 || fail "CMake does not find what is there"
grep -q "^-- $work/.*/build/headers/libsundials-dev .*/libsundials_cvode[.]so[.]6 .*/build/headers/liblapacke-dev .*/liblapacke[.]so[.]3\$" \
  "$work/log" || fail "found elsewhere"
"$cmake" --build "$work/built" > "$work/log" 2>&1 || fail "does not build with the libraries and the headers"
"$work/built/probe" > "$work/log" 2>&1 || fail "does not run"
echo "CMake: found, linked and ran without the -dev packages"
