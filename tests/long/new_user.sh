#!/bin/sh
# What a newcomer does, in a clean Debian 12 that has git and sudo and nothing else: clone, bash studies/first.sh to the first report, and
# a study of one's own, with the minutes that each step takes. Needs root and debootstrap, the network, and 4 GB of disk.
#
#   sh tests/long/new_user.sh [-o DIR] [-k] [REPOSITORY]
#
# REPOSITORY: what is cloned (default: the one that this script lies in, with what is committed there). -o: what the newcomer has at the
# end, first.h5, plots and report, and the log go there. -k: keeps the root, and says where.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/long/debian_root.sh
. "$here/debian_root.sh"
own_mounts "$0" "$@"

out='' keep=''
while getopts o:k option; do
  case $option in
    o) mkdir -p "$OPTARG" && out=$(cd "$OPTARG" && pwd) ;;
    k) keep=1 ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
repository=$(cd "${1-$here/../..}" && pwd)

work=$(mktemp -d)
finish() {
  umount -R "$work/root/proc" "$work/root/sys" "$work/root/dev/shm" 2> /dev/null || true
  if [ -n "$keep" ]; then echo "root: $work/root"; else rm -rf --one-file-system "$work"; fi
}
trap finish EXIT

echo "a clean Debian 12, with git and sudo"
make_root "$work/root" git sudo
chroot "$work/root" useradd --create-home --shell /bin/bash newcomer
echo 'newcomer ALL=(ALL) NOPASSWD: ALL' > "$work/root/etc/sudoers.d/newcomer"
git clone --quiet --bare "$repository" "$work/root/srv/omniroll.git"
chroot "$work/root" chown -R newcomer /srv/omniroll.git # git clones nobody else's folders
echo "$(chroot "$work/root" dpkg-query -f '.' -W | wc -c) packages; processors: $(nproc); load before: $(cut -d ' ' -f 1 /proc/loadavg)"

# step NAME COMMAND: as the newcomer, every line with the minutes since the step began.
step() {
  began=$(date +%s)
  echo "\$ $2"
  {
    code=0
    in_root "$work/root" newcomer bash -c "cd && $2" 2>&1 < /dev/null || code=$?
    echo "$code" > "$work/code"
  } | while IFS= read -r line; do
    seconds=$(($(date +%s) - began))
    printf '%2d:%02d  %s\n' $((seconds / 60)) $((seconds % 60)) "$line"
  done
  printf '%s\t%s\t%s\n' $(($(date +%s) - began)) "$(cat "$work/code")" "$1" >> "$work/steps"
}

{
  step 'clone' 'git clone /srv/omniroll.git'
  step 'packages' 'cd omniroll && sh tests/install_packages.sh build > packages.log 2>&1; code=$?; tail -n 3 packages.log; exit $code'
  step 'first.sh: build, run, report' 'cd omniroll && bash studies/first.sh && test -s first.html'
  step 'a study of one'"'"'s own' 'cd omniroll && build/release/omniroll run studies/first.json -o heavy.h5 \
      --set "parameters.platform.mass=\"20 kg\"" --set "vary[0].linspace=[0.1,0.6,11]" --set "vary[1].linspace=[0,\"45 deg\",10]" \
      --set "output.trajectories.instances=[0]"'
  step 'its report' 'cd omniroll && build/release/omniroll report heavy.h5 && test -s heavy.html'
  step 'a second first.sh' 'cd omniroll && bash studies/first.sh | tail -n 3'
} 2>&1 | tee "$work/log"

echo
awk -F '\t' '{ printf "%5.1f min  exit code %s  %s\n", $1 / 60, $2, $3; sum += $1 } END { printf "%5.1f min  in all\n", sum / 60 }' "$work/steps" |
  tee -a "$work/log"
echo "packages in the end: $(chroot "$work/root" dpkg-query -f '.' -W | wc -c); disk: $(du -smx "$work/root" | cut -f 1) MB" | tee -a "$work/log"
if [ -n "$out" ]; then
  cp "$work/log" "$out/new_user.log"
  cp -r "$work/root/home/newcomer/omniroll"/first* "$out/"
fi
! cut -f 2 "$work/steps" | grep -qv '^0$'
