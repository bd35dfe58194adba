#!/bin/sh
# What may go wrong where a run compiles (host/lanes/): killed runs, many at once, caches that others can write, compilers that are none,
# full disks, strange environments, forks. Each trial tells what was done, exit code, kernels and note; whatever happens, the numbers are
# those of engine.compile=never, there is one note at most, and nothing is left in the cache. tests/parity/test_compiled.c has compilers
# that hang, that print without end, that leave half an object, and wrong bits.
#   compile_trials.sh PROGRAM        OMNIROLL_TESTS=short: 25 processes at once, not a hundred, and one object by the real compiler
# What stands in single quotes is for compilers and folders that are made here.
# shellcheck disable=SC2016
set -u
program=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
short=${OMNIROLL_TESTS:-}
work=$(mktemp -d)
mounts=
clean_up() {
  for folder in $mounts; do umount "$folder"; done
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM
unset OMNIROLL_CC OMNIROLL_CACHE OMNIROLL_COMPILE_SECONDS
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
number=0 failed=0
fail() { echo "FAILED  $name: $*"; sed 's/^/        /' "$work/err"; failed=$((failed + 1)); }
fresh() { number=$((number + 1)); XDG_CACHE_HOME=$work/cache$number; cache=$XDG_CACHE_HOME/omniroll; }
omniroll() { timeout 100 "$program" run tests/parity/one_wheel.json --hash --backend openmp --threads 1 --set engine.launch_seconds=0.001 "$@"; }
always() { omniroll --set engine.compile=always; }
left() { find "$1" \( -name 'compile-*' -o -name '*.lock' -o -name '*.part-*' \) 2> /dev/null; }
starts() { wc -l < "$work/starts"; }
compiler() { # NAME BODY: a compiler that says what it is, and does BODY for its work; $target: where the object goes
  { echo '#!/bin/sh'; echo "case \$* in *-dM*) exec cc \"\$@\" ;; esac"; echo "work='$work'"; echo "echo \$PPID >> \"\$work/starts\""
    echo 'for a; do case $a in */object.so) target=$a ;; esac; done'; printf '%s\n' "$2"; } > "$work/$1"
  chmod +x "$work/$1"
}
: > "$work/starts"

# judge WHAT KERNELS NOTE: what a run has left in out, err and code. NOTE: a regular expression; -: none.
judge() {
  name=$1
  notes=$(grep -E '^openmp: ' "$work/err" | grep -v 'chose instruction set')
  kernels=$(sed -n 's/^kernels *//p' "$work/out")
  [ "$code" -eq 0 ] || fail "exit code $code"
  grep -qs "^hash *$right\$" "$work/out" || fail "another hash: $(head -n 1 "$work/out")"
  case $kernels in *"$2"*) ;; *) fail "kernels $kernels, not $2" ;; esac
  if [ "$3" = - ]; then [ -z "$notes" ] || fail "has a note"; else printf '%s\n' "$notes" | grep -qE -e "$3" || fail "no note of $3"; fi
  [ "$(printf '%s\n' "$notes" | wc -l)" -eq 1 ] || fail "more than one note"
  [ -z "$(left "$XDG_CACHE_HOME")" ] || fail "left $(left "$XDG_CACHE_HOME")"
  printf '%-46s exit %d, %s\n' "$name" "$code" "$kernels"
  [ -z "$notes" ] || printf '    %s\n' "$notes"
}
# try WHAT KERNELS NOTE [VARIABLE=VALUE...]
try() {
  what=$1 wanted=$2 note=$3
  shift 3
  code=0
  env "$@" timeout 100 "$program" run tests/parity/one_wheel.json --hash --backend openmp --threads 1 --set engine.launch_seconds=0.001 \
    --set engine.compile=always > "$work/out" 2> "$work/err" < /dev/null || code=$?
  judge "$what" "$wanted" "$note"
}

right=$(omniroll --set engine.compile=never 2> /dev/null | sed -n 's/^hash *//p')
[ -n "$right" ] || { echo "no run at all"; exit 1; }

# The real compiler, once; `copies` then does at once what it did.
compiler 'real one' 'for a; do case $a in */kernel.c) cp "$a" "$work/kernel.c" ;; esac; done
env | cut -d= -f1 | grep -vx "PWD\|_\|SHLVL\|OLDPWD" | LC_ALL=C sort > "$work/environment"
cc "$@" || exit
cp "$target" "$work/made.so"'
compiler copies 'cp "$work/made.so" "$target"'
compiler slow 'sleep 1; cp "$work/made.so" "$target"'
copies=OMNIROLL_CC=$work/copies
cc=$(command -v cc)
fresh
command -v "$cc" > /dev/null || { echo "no compiler: cc"; exit 77; }
try 'a path with a blank, nonsense in the environment' 'compiled for the run' - OMNIROLL_CC="$work/real one" CFLAGS=-ffast-math CPATH=/nonexistent \
  C_INCLUDE_PATH=/nonexistent GCC_EXEC_PREFIX=/nonexistent/ COMPILER_PATH=/nonexistent MAKEFLAGS=-j999 LD_PRELOAD=/nonexistent.so
[ "$(tr '\n' ' ' < "$work/environment")" = 'LC_ALL PATH TMPDIR ' ] || fail "the compiler's environment: $(cat "$work/environment")"
[ -s "$work/made.so" ] || { echo "nothing was compiled, nothing else can be tried"; exit 1; }
if [ "$short" != short ]; then
  cp "$work/made.so" "$work/first.so"
  fresh
  try 'the real compiler in a plain environment' 'compiled for the run' - OMNIROLL_CC="$work/real one"
  cmp -s "$work/first.so" "$work/made.so" || fail "the environment changed what was compiled"
fi

echo "== compilers"
# one WHAT BODY NOTE: a compiler that does BODY for its work
one() {
  fresh
  compiler other "$2"
  try "$1" general "$3" OMNIROLL_CC="$work/other"
  [ -z "$(find "$cache" -name '*.lane')" ] || fail "keeps $(ls "$cache")"
}
one 'it crashes' 'kill -SEGV $$' 'ended by signal 11'
one 'it writes nothing and says it has' 'exit 0' 'left no whole object'
one 'its object lacks the symbol' 'echo "int other;" | cc -x c - -shared -o "$target"' 'cannot be loaded.*omr_compiled_object'
one 'it prints its error over many lines' 'printf "kernel.c:1: note\n\033[31mkernel.c:2: error: no such luck\033[m\nmore\n"; exit 1' 'failed: .*error: no such luck'
cat > "$work/old" << 'OLD'
#!/bin/sh
cc "$@" | sed 's/__GNUC__ .*/__GNUC__ 9/'
OLD
chmod +x "$work/old"
cp "$work/old" "$work/not_executable" && chmod -x "$work/not_executable"
printf '#!/bin/sh\nexec yes "#define NOTHING"\n' > "$work/endless" && chmod +x "$work/endless"
fresh; try 'it is too old' general 'is gcc 9[.0-9]*; it takes gcc from 11' OMNIROLL_CC="$work/old"
fresh; try '/bin/true' general '/bin/true is neither gcc nor clang' OMNIROLL_CC=/bin/true
fresh; try '/bin/cat' general '/bin/cat fails when it is asked' OMNIROLL_CC=/bin/cat
fresh; try 'a folder' general 'names no program: /tmp$' OMNIROLL_CC=/tmp
fresh; try 'a file that is not executable' general 'names no program' OMNIROLL_CC="$work/not_executable"
[ "$short" = short ] || { fresh; try 'it answers without end' general 'does not say what it is' OMNIROLL_CC="$work/endless"; }

# A reason that is mended need not be waited for by whoever asks for the code; long runs do not try again for a while.
fresh
compiler mended 'exit 1'
try 'it fails' general failed OMNIROLL_CC="$work/mended"
sleep 1.1
compiler mended 'cp "$work/made.so" "$target"'
try 'and is mended' 'compiled for the run' - OMNIROLL_CC="$work/mended"

echo "== killed"
# stopped WHAT SIGNAL EXIT_CODE ORPHANS COMPILER [COMMAND]: a signal to a run, or to COMMAND, while its compiler hangs
stopped() {
  name=$1
  options='--hash --threads 1 --set engine.launch_seconds=0.001 --set engine.compile=always'
  [ "${6-run}" = run ] || options=
  fresh
  nap=3$number$$
  sed "s/NAP/$nap/" "$work/$5" > "$work/hanging" && chmod +x "$work/hanging"
  # shellcheck disable=SC2086 # words on purpose
  OMNIROLL_CC=$work/hanging "$program" "${6-run}" tests/parity/one_wheel.json --backend openmp $options \
    > "$work/out" 2> "$work/err" < /dev/null &
  pid=$!
  for i in $(seq 200); do pgrep -f "^sleep $nap\$" > /dev/null && break; sleep 0.1; done
  begin=$(date +%s)
  kill -"$2" $pid
  code=0
  wait $pid 2> /dev/null || code=$?
  took=$(($(date +%s) - begin))
  sleep 0.1
  orphans=$(pgrep -fc "^sleep $nap\$")
  [ "$code" -eq "$3" ] || fail "exit code $code, not $3"
  [ "$took" -le 10 ] || fail "took $took s to end"
  [ "$orphans" -eq "$4" ] || fail "$orphans orphans, not $4"
  for orphan in $(pgrep -f "^sleep $nap\$"); do kill "$orphan"; done
  [ "$2" = KILL ] || [ -z "$(left "$XDG_CACHE_HOME")" ] || fail "left $(left "$XDG_CACHE_HOME")"
  printf '%-46s exit %d after %d s, %d processes of the compiler go on\n' "$name" "$code" "$took" "$orphans"
}
compiler hangs 'sleep NAP'
printf '#!/bin/sh\nsleep NAP\n' > "$work/mute"
stopped 'SIGTERM while it compiles' TERM 7 0 hangs
stopped 'Ctrl-C while it compiles' INT 7 0 hangs
stopped 'Ctrl-C in warm' INT 7 0 hangs warm
stopped 'SIGTERM while the compiler is asked' TERM 7 0 mute
stopped 'kill -9 while it compiles' KILL 137 1 hangs
# What it left goes a day later.
find "$cache" \( -name 'compile-*' -o -name '*.lock' \) -exec touch -d '2 days ago' {} +
try 'the next run' 'compiled for the run' - "$copies"

echo "== at once"
many=100
[ "$short" = short ] && many=25
# at_once COUNT WHAT: that many processes that want one object
at_once() {
  name=$2
  fresh
  : > "$work/starts"
  pids=
  for i in $(seq "$1"); do
    OMNIROLL_CC=$work/slow omniroll --set engine.compile=always > "$work/out$i" 2> "$work/err$i" < /dev/null &
    pids="$pids $!"
  done
}
all_same() { # COUNT: that many have the right hash
  wait
  : > "$work/err"
  [ "$(cat "$work"/out[0-9]* | grep -c "^hash *$right\$")" -eq "$1" ] || fail "not $1 equal hashes"
  [ "$(cat "$work"/out[0-9]* | grep -c '^kernels *compiled')" -eq "$1" ] || fail "not $1 compiled"
  [ -z "$(left "$XDG_CACHE_HOME")" ] || fail "left $(left "$XDG_CACHE_HOME")"
  printf '%-46s %d equal hashes, %d starts of the compiler\n' "$name" "$1" "$(starts)"
  rm -f "$work"/out[0-9]* "$work"/err[0-9]*
}
at_once 2 'two runs'
all_same 2
[ "$(starts)" -eq 1 ] || fail "$(starts) starts"
at_once $many "$many runs"
all_same $many
[ "$(starts)" -eq 1 ] || fail "$(starts) starts"
at_once 6 'six runs, of which the one that compiles dies'
for i in $(seq 300); do [ -s "$work/starts" ] && break; sleep 0.05; done
kill -9 "$(head -n 1 "$work/starts")"
for i in $(seq 300); do [ "$(starts)" -ge 2 ] && break; sleep 0.05; done
find "$cache" -maxdepth 1 -name 'compile-*' | while read -r folder; do [ -e "$folder/object.so" ] || touch -d '2 days ago' "$folder"; done
wait
rm -rf "$cache"/compile-*
all_same 5
[ "$(starts)" -eq 2 ] || fail "$(starts) starts"

echo "== caches"
fresh
try 'an object of our own' 'compiled for the run' - "$copies"
good=$cache
object=$(basename "$(find "$good" -name '*.lane')")
# kept WHAT KERNELS NOTE COMMAND: COMMAND does something to a copy of the cache, in whose folder it is
kept() {
  fresh
  mkdir -p "$XDG_CACHE_HOME"
  cp -a "$good" "$cache"
  (cd "$cache" && eval "$4") || fail "cannot be tried"
  : > "$work/starts"
  try "$1" "$2" "$3" "$copies"
  case $2 in *kept*) made=0 ;; *) made=1 ;; esac
  [ "$(starts)" -eq $made ] || fail "$(starts) starts of the compiler, not $made"
  [ "$3" != - ] || cmp -s "$good/$object" "$cache/$object" || fail "it is not replaced by a good one"
}
kept 'as it is' kept - :
kept 'an object without its end' gcc - 'truncate -s -200 "$object"'
kept 'a flipped byte' gcc - 'printf X | dd of="$object" bs=1 seek=9000 conv=notrunc 2> /dev/null'
kept 'the object of another key' gcc - 'sed "s/omniroll [0-9]/omniroll x/" "$object" > other && mv other "$object"'
kept 'a link in its place' gcc - 'mv "$object" ../away && ln -s ../away "$object"'
kept 'a second name' gcc - 'ln "$object" ../second'
kept 'a FIFO' gcc - 'rm "$object" && mkfifo "$object"'
kept 'an object that others can write' gcc - 'chmod g+w "$object"'
kept 'a folder in its place' gcc 'not kept for the next: .*is a folder|not kept for the next: Is a directory' 'rm "$object" && mkdir "$object"'
kept 'a folder that others can write' gcc 'not kept for the next: .*others can write there' 'chmod 0777 .'
kept 'a link to a folder' gcc 'not kept for the next: .*is a link' 'mkdir ../elsewhere && mv "$object" ../elsewhere && cd .. && rmdir omniroll && ln -s elsewhere omniroll'
if [ "$(id -u)" -eq 0 ]; then
  kept 'an object of another user' gcc - 'chown nobody "$object"'
  kept 'a folder of another user' gcc 'not kept for the next: .*another user' 'chown nobody .'
else
  echo "[PART] only root can give files to other users"
fi
fresh; try 'neither HOME nor XDG_CACHE_HOME' 'compiled for the run' 'not kept for the next: neither' -u HOME -u XDG_CACHE_HOME "$copies"

echo "== disks"
# disk OPTIONS: a file system of its own in $XDG_CACHE_HOME
disk() {
  fresh
  mkdir -p "$XDG_CACHE_HOME"
  mount -t tmpfs -o "$1" tmpfs "$XDG_CACHE_HOME" 2> /dev/null || return 1
  mounts="$mounts $XDG_CACHE_HOME"
}
if disk size=64k; then
  try 'no room for the text' general 'No space left on device' "$copies"
  text=$(wc -c < "$work/kernel.c") binary=$(wc -c < "$work/made.so")
  disk size=$((text + binary / 2))
  try 'no room for the object' general 'No space left on device' "$copies"
  disk size=$((text + binary + binary / 2))
  try 'no room to keep it' 'compiled for the run' 'not kept for the next: No space left' "$copies"
  disk size=4m
  mkdir "$cache" && mount -o remount,ro "$XDG_CACHE_HOME"
  try 'a cache that is read-only' 'compiled for the run' 'not kept for the next: Read-only file system' "$copies"
  mount -o remount,rw "$XDG_CACHE_HOME" && cp -a "$good/$object" "$cache" && mount -o remount,ro "$XDG_CACHE_HOME"
  try 'and one that has the object' kept - "$copies"
  disk size=4m,noexec
  try 'noexec' general 'mounted noexec; name another' "$copies"
  XDG_CACHE_HOME=$work/never
  try 'noexec, and the cache is off' general 'mounted noexec; name another' "$copies" OMNIROLL_CACHE=0 TMPDIR="$work/cache$number"
else
  echo "[PART] nothing can be mounted here: no full, read-only or noexec disk"
fi

echo "== limits"
limited() { # WHAT LIMIT KERNELS NOTE
  fresh
  code=0
  (eval "$2"; OMNIROLL_CC=$work/copies always) > "$work/out" 2> "$work/err" < /dev/null || code=$?
  judge "$1" "$3" "$4"
}
limited 'files of at most 50 kB' 'ulimit -f 100' general 'File too large'
limited 'nine open files' 'ulimit -n 9' '' 'fails when it is asked|Too many open files'
fresh
code=0
OMNIROLL_CC=$work/copies always > "$work/out" <&- 2>&- || code=$?
: > "$work/err"
judge 'input and errors closed' 'compiled for the run' -

echo "== forks"
cat > "$work/forks.c" << 'FORKS'
/* Forks while the library compiles, with every way to treat SIGCHLD; both processes run to the end. */
#include <errno.h>
#include <omniroll/omniroll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static char hash[33];
static void reap(int signal) {
  const int before = errno;
  (void)signal;
  while (waitpid(-1, NULL, WNOHANG) > 0) {}
  errno = before;
}
static void *run(void *path) {
  const char *set[] = {"engine.backend=openmp", "engine.threads=1", "engine.launch_seconds=0.001", "engine.compile=always"};
  const omr_run_options options = {.size = sizeof options, .log = stderr};
  omr_error error = {.message = ""};
  omr_study *study = NULL;
  omr_result *result = NULL;
  if (omr_study_load(path, set, 4, &study, &error) != OMR_OK || omr_run(study, &options, &result, &error) != OMR_OK ||
      omr_result_hash(result, hash, &error) != OMR_OK)
    fprintf(stderr, "%s\n", error.message);
  omr_result_destroy(result);
  omr_study_destroy(study);
  return NULL;
}
int main(int count, char **words) {
  pthread_t thread;
  int ends[2];
  char line[64] = "";
  if (count != 5 || pipe(ends)) return 2;
  if (!strcmp(words[2], "ignore")) signal(SIGCHLD, SIG_IGN);
  if (!strcmp(words[2], "reap")) signal(SIGCHLD, reap);
  pthread_create(&thread, NULL, run, words[1]);
  usleep((useconds_t)(1e6 * atof(words[3])));
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    run(words[1]);
    const ssize_t written = write(ends[1], hash, strlen(hash));
    _exit(written != 32);
  }
  if (!strcmp(words[4], "dies")) kill(getpid(), SIGKILL);
  close(ends[1]);
  pthread_join(thread, NULL);
  ssize_t got;
  while ((got = read(ends[0], line, sizeof line - 1)) < 0 && errno == EINTR) {}
  line[got > 0 ? got : 0] = '\0';
  printf("%s %s\n", hash, line);
  return 0;
}
FORKS
build=$(dirname "$program")
if [ -e "$build/libomniroll.a" ] && [ -e "$build/omniroll.pc" ]; then
  # shellcheck disable=SC2046
  cc -std=gnu17 -O1 -fopenmp -D_GNU_SOURCE -Ihost/include "$work/forks.c" "$build/libomniroll.a" $(sed -n 's/^Libs.private: //p' "$build/omniroll.pc") \
    -o "$work/forks" 2> "$work/err" || fail "the program does not build"
  cat > "$work/slow_answer" << SLOW
#!/bin/sh
case \$* in *-dM*) sleep 1 ;; esac
exec "$work/slow" "\$@"
SLOW
  chmod +x "$work/slow_answer"
  # forked WHAT SIGCHLD SECONDS
  forked() {
    name=$1
    fresh
    OMNIROLL_CC=$work/slow_answer timeout 100 "$work/forks" tests/parity/one_wheel.json "$2" "$3" lives > "$work/out" 2> "$work/err"
    [ "$(cat "$work/out")" = "$right $right" ] || fail "$(cat "$work/out"), not twice $right"
    ! grep -q 'nothing is compiled' "$work/err" || fail "nothing is compiled"
    [ -z "$(left "$XDG_CACHE_HOME")" ] || fail "left $(left "$XDG_CACHE_HOME")"
    printf '%-46s %s\n' "$name" "parent and child have the hash of never"
  }
  forked 'a fork while the compiler is asked' default 0.5
  forked 'a fork while it compiles' default 1.7
  forked 'SIGCHLD is ignored' ignore 1.7
  forked 'a handler that reaps every child' reap 1.7
else
  echo "[PART] no libomniroll.a beside the program: no forks"
fi

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
