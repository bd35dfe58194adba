#!/bin/sh
# What cmake/hardening.cmake promises, looked for in the files themselves by readelf.
#   hardened.sh BUILD_FOLDER PROGRAM LIBRARY...        PROGRAM may be -: libraries alone
# Nothing is looked for where the build was made with -DOMNIROLL_HARDENING=OFF or with sanitizers, and no *_chk in one that is not optimised.
set -eu
build=$1 program=$2
shift 2
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
no() { case $(cached "$1") in OFF | 0 | FALSE | NO | '') return 0 ;; *) return 1 ;; esac; }
if no OMNIROLL_HARDENING || ! no OMNIROLL_SANITIZE; then
  echo "[PART] hardened: this build has OMNIROLL_HARDENING=OFF or sanitizers"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "$*"; failed=1; }

look() { # FILE: what program and libraries have in common
  readelf -hldW "$1" > "$work/elf"
  readelf -W --dyn-syms "$1" > "$work/symbols"
  grep -q '^ *Type: *DYN ' "$work/elf" || fail "$1: lies at a fixed address"
  grep -q '^ *GNU_RELRO ' "$work/elf" || fail "$1: relocations stay writable (no GNU_RELRO)"
  grep -q -E '\((BIND_NOW|FLAGS|FLAGS_1)\).*(BIND_NOW|NOW)|\(BIND_NOW\)' "$work/elf" || fail "$1: functions are bound when they are called (no BIND_NOW)"
  grep '^ *GNU_STACK ' "$work/elf" > "$work/stack" || fail "$1: no GNU_STACK, so that the stack may be executable"
  ! grep -q ' R*W*E ' "$work/stack" || fail "$1: executable stack"
  ! grep -E '^ *LOAD .* RWE ' "$work/elf" || fail "$1: a segment that can be written and executed"
  ! grep -q '(TEXTREL)' "$work/elf" || fail "$1: relocations in code"
  grep -q ' UND __stack_chk_fail\>' "$work/symbols" || fail "$1: no stack protector (__stack_chk_fail)"
  if [ "$(cached CMAKE_BUILD_TYPE)" != Debug ]; then
    grep -q -E ' UND __[a-z]+_chk\>' "$work/symbols" || fail "$1: no fortified call (__*_chk)"
    # Always fortified, whatever the compiler knows of sizes: the plain function means that some source was left out.
    ! grep -E ' UND (v?fprintf|vasprintf)(@.*)?( |$)' "$work/symbols" || fail "$1: calls that are not fortified"
  fi
}
if [ "$program" != - ]; then
  look "$program"
  grep -q -E 'FLAGS_1.*\<PIE\>' "$work/elf" || fail "$program: not a position-independent executable"
fi
for library in "$@"; do look "$library"; done

# IBT and SHSTK are of a file where all that is linked has them, the C library's startup code too (Debian 12's has not). What is ours has
# them, object by object, and a file has them where an empty one of the same compiler does.
archive=$build/libomniroll.a
if [ "$(uname -m)" = x86_64 ] && ! no OMNIROLL_FLAG_CF_PROTECTION; then
  if [ -e "$archive" ]; then
    readelf -nW "$archive" > "$work/notes" 2> /dev/null
    objects=$(grep -c '^File: ' "$work/notes") marked=$(grep -c 'x86 feature: IBT, SHSTK' "$work/notes" || true)
    if [ "$objects" -eq 0 ] || [ "$objects" -ne "$marked" ]; then fail "$archive: $marked of $objects objects have IBT and SHSTK"; fi
  fi
  echo 'int main(void) { return 0; }' > "$work/empty.c"
  "$(cached CMAKE_C_COMPILER)" -fcf-protection -fPIC -shared "$work/empty.c" -o "$work/empty.so"
  "$(cached CMAKE_C_COMPILER)" -fcf-protection -fPIE -pie "$work/empty.c" -o "$work/empty"
  features() { readelf -nW "$1" 2> /dev/null | sed -n 's/.*x86 feature: //p'; }
  for library in "$@"; do
    [ "$(features "$library")" = "$(features "$work/empty.so")" ] || fail "$library: \"$(features "$library")\", not \"$(features "$work/empty.so")\""
  done
  if [ "$program" != - ] && [ "$(features "$program")" != "$(features "$work/empty")" ]; then
    fail "$program: \"$(features "$program")\", not \"$(features "$work/empty")\""
  fi
fi
exit $failed
