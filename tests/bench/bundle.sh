#!/bin/sh
# A folder that runs the benchmark on a machine which has nothing but a driver: the program, built without HDF5, the shared libraries
# that it needs beside it (all but the C library's own), the studies, and gpu.sh.
#
#   sh tests/bench/bundle.sh DIR [PROGRAM]
#
# PROGRAM: a program built with -DOMNIROLL_HDF5=OFF for any x86-64 (default: built here, in DIR.build, some minutes on two cores). On
# the other machine: OUT=results sh DIR/gpu.sh, see there. DIR has about 6 MB.
set -eu
[ $# -ge 1 ] || { echo "usage: $0 DIR [PROGRAM]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
bundle=$(cd "$1" && pwd)
program=${2-}

if [ -z "$program" ]; then
  build=$bundle.build
  cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DOMNIROLL_HDF5=OFF -DOMNIROLL_LAPACK=OFF -DBUILD_TESTING=OFF \
    -DOMNIROLL_LANE_SETS=all -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DCMAKE_INSTALL_RPATH="\$ORIGIN/lib" \
    -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags > "$bundle.log" || { cat "$bundle.log" >&2; exit 1; }
  cmake --build "$build" --target omniroll_program -j "$(nproc)" >> "$bundle.log" 2>&1 || { tail -40 "$bundle.log" >&2; exit 1; }
  program=$build/omniroll
fi
case $("$program" --version) in
  *"with OpenCL"*) ;;
  *) echo "$program has no OpenCL backend: install opencl-headers and ocl-icd-opencl-dev, and build it again" >&2; exit 1 ;;
esac

rm -rf "${bundle:?}/bin" "${bundle:?}/studies"
mkdir -p "$bundle/bin/lib" "$bundle/bin/udunits" "$bundle/studies"
cp "$program" "$bundle/bin/omniroll.bin"

# What belongs to the C library must be the other machine's own, as its loader is.
ldd "$program" | sed -n 's/^[[:space:]]*\([^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | while read -r name path; do
  case $name in
    libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | ld-linux*) ;;
    *) cp -L "$path" "$bundle/bin/lib/$name" ;;
  esac
done

# The unit database; UDUNITS-2 looks for it where it was built, unless the environment names it.
for database in ${UDUNITS2_XML_PATH-} /usr/share/xml/udunits/udunits2.xml /usr/share/udunits/udunits2.xml \
  /usr/local/share/udunits/udunits2.xml; do
  [ -f "$database" ] || continue
  cp "$(dirname "$database")"/udunits2*.xml "$bundle/bin/udunits/"
  break
done
[ -f "$bundle/bin/udunits/udunits2.xml" ] || { echo "udunits2.xml is not here: install libudunits2-data" >&2; exit 1; }

# The program finds libraries and database beside itself, from wherever it is called; its RPATH does so alone, where /proc is mounted.
cat > "$bundle/bin/omniroll" <<'EOF'
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
export UDUNITS2_XML_PATH="$here/udunits/udunits2.xml"
LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$here/omniroll.bin" "$@"
EOF
chmod +x "$bundle/bin/omniroll" "$bundle/bin/omniroll.bin"

cp "$root"/tests/parity/*.json "$bundle/studies/"
cp "$root/studies/first.json" "$root/tests/bench/vehicle.json" "$bundle/studies/"
cp "$root/tests/bench/gpu.sh" "$bundle/"
"$bundle/bin/omniroll" validate "$bundle/studies/first.json" > /dev/null
echo "$bundle: $(du -sk "$bundle" | cut -f 1) kB, $(cd "$bundle/bin/lib" && echo *)"
