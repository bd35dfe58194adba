# shellcheck shell=sh
# A clean Debian 12 in a folder, for scripts that try what a user does; to be sourced by them:
#
#   . "$here/debian_root.sh"
#   own_mounts "$0" "$@"                    first: root is needed; mounts and processes end with the script
#   make_root DIR [PACKAGE...]              debootstrap's smallest Debian 12 and these packages
#   in_root DIR USER COMMAND...             runs as USER in there, with that user's environment and nothing else
#
# Mirrors, their keys and a proxy are those of this machine's apt. OMNIROLL_DEB_CACHE: a folder that keeps the packages of debootstrap.

own_mounts() {
  [ -z "${OMNIROLL_OWN_MOUNTS-}" ] || return 0
  [ "$(id -u)" -eq 0 ] || { echo "$1: debootstrap and chroot need root" >&2; exit 77; }
  command -v debootstrap > /dev/null || { echo "$1: needs debootstrap: apt-get install debootstrap" >&2; exit 77; }
  OMNIROLL_OWN_MOUNTS=1 exec unshare --mount --pid --fork --kill-child sh "$@"
}

# Debian's own archives of this machine, one "address suite" a line.
archives() {
  # The words with $ are apt's.
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
    sed -n 's/^Debian main \([^ ]*\) \(bookworm[a-z-]*\)$/\1 \2/p' | sort -u
}

make_root() {
  root=$1
  shift
  mirror=$(archives | sed -n 's/ bookworm$//p' | head -n 1)
  [ -n "$mirror" ] || { echo "apt of this machine has no archive of Debian 12 (bookworm)" >&2; exit 77; }
  proxy=$(apt-config shell proxy Acquire::http::Proxy)
  eval "$proxy"
  mkdir -p "$root"
  if [ -n "${OMNIROLL_DEB_CACHE-}" ]; then
    mkdir -p "$OMNIROLL_DEB_CACHE"
    set -- "$@" "--cache-dir=$OMNIROLL_DEB_CACHE"
  fi
  options=
  include=
  for word in "$@"; do
    case $word in
      --*) options="$options $word" ;;
      *) include="$include${include:+,}$word" ;;
    esac
  done
  # Words on purpose.
  # shellcheck disable=SC2086
  env ${proxy:+"http_proxy=$proxy"} debootstrap --variant=minbase ${include:+--include=$include} $options bookworm "$root" "$mirror" \
    > "$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 1; }
  archives | sed 's/\(.*\) \(.*\)/deb \1 \2 main/' > "$root/etc/apt/sources.list"
  [ -z "$proxy" ] || echo "Acquire::http::Proxy \"$proxy\";" > "$root/etc/apt/apt.conf.d/proxy"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  cp /etc/hosts "$root/etc/hosts"
  echo "clean" > "$root/etc/hostname"
  mount -t proc proc "$root/proc"
  mount --rbind --make-rslave /sys "$root/sys"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
}

in_root() {
  root=$1 user=$2
  shift 2
  home=/root
  [ "$user" = root ] || home=/home/$user
  force=
  [ "$user" != root ] || force=DPKG_FORCE=security-mac,downgrade,unsafe-io # the root is thrown away: no waiting for the disk
  # A session of its own: sudo would otherwise stop with the job.
  setsid --wait chroot --userspec="$user" --groups="$user" "$root" env -i HOME="$home" USER="$user" LOGNAME="$user" LANG=C.UTF-8 TERM=dumb ${force:+"$force"} \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
