#!/bin/sh
# Tasks of Slurm share the chunks of a study: slurm.sh OMNIROLL
# Starts munge and a Slurm of one node under a temporary folder, as root or as an ordinary user, without systemd, and submits array
# jobs and a job step. Each result has the bits of a single process; nothing else is left. Exit code 77: Slurm is not here.
set -eu
program=$1
here=$(cd "$(dirname "$0")" && pwd)
study=$here/study.json
python=${OMNIROLL_PYTHON:-/usr/bin/python3}
PATH=$PATH:/usr/sbin:/sbin
for tool in munged slurmctld slurmd sbatch squeue sinfo srun scancel; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not here (Debian: slurm-wlm, munge)"; exit 77; }
done

# munged wants a folder that others cannot write to, Slurm's daemons one whose path is short enough for a socket.
work=$(mktemp -d /tmp/omniroll-slurm-XXXXXX)
munged_pid='' slurmctld_pid='' slurmd_pid=''

# SIGKILL for what does not end by itself within two seconds.
stop() {
  [ -n "$1" ] || return 0
  kill "$1" 2>/dev/null || return 0
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.2
  done
  kill -9 "$1" 2>/dev/null || true
}

clean_up() {
  if [ -n "$slurmctld_pid" ] && [ -n "$slurmd_pid" ]; then
    timeout 5 scancel --user="$(id -un)" 2>/dev/null || true
  fi
  stop "$slurmd_pid"
  stop "$slurmctld_pid"
  stop "$munged_pid"
  wait
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

fail() {
  echo "$1"
  tail -n 15 "$work"/munged.log "$work"/slurmctld.log "$work"/slurmd.log 2>/dev/null || true
  exit 1
}

start_munge() {
  mkdir -m 700 "$work/munge"
  (umask 077 && head -c 128 /dev/urandom >"$work/munge/key")
  munged --foreground --key-file="$work/munge/key" --seed-file="$work/munge/seed" --socket="$work/munge/socket" \
    --pid-file="$work/munge/pid" --num-threads=2 --force >"$work/munged.log" 2>&1 &
  munged_pid=$!
}

# Two ports that nothing listens on.
free_ports() {
  "$python" -c 'import socket
a, b = (socket.create_server(("127.0.0.1", 0)) for _ in range(2))
print(a.getsockname()[1], b.getsockname()[1])'
}

# The node has four processors and 4 GB whatever the machine has, so that the tasks of an array run at the same time.
configure() {
  user=$(id -un) host=$(hostname -s)
  ports=$(free_ports)
  mkdir "$work/state" "$work/spool"
  cat >"$work/slurm.conf" <<CONF
ClusterName=omniroll
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SlurmdParameters=config_overrides
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerType=sched/builtin
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=4096 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=5 State=UP
CONF
  export SLURM_CONF="$work/slurm.conf"
}

start_slurm() {
  slurmctld -D >"$work/slurmctld.out" 2>&1 &
  slurmctld_pid=$!
  slurmd -D -N "$host" >"$work/slurmd.out" 2>&1 &
  slurmd_pid=$!
  for _ in $(seq 100); do
    [ "$(sinfo -h -o %t 2>/dev/null)" != idle ] || return 0
    sleep 0.1
  done
  sinfo -R || true
  fail "the node of Slurm does not become idle"
}

# batch NAME OPTION...: NAME.h5 by a batch job, and by each task of it where the options make it an array.
batch() {
  name=$1
  shift
  job=$(sbatch --parsable "$@" --chdir="$work" --output="$work/$name-%a.log" --wrap "'$program' run '$study' -o shared/$name.h5")
  for _ in $(seq 150); do
    [ -n "$(squeue -h -j "$job" 2>/dev/null)" ] || break
    sleep 0.1
  done
  [ -s "$work/shared/$name.h5" ] || { tail -n 5 "$work/$name"-*.log; fail "sbatch $* leaves no result"; }
}

# step NAME COUNT: NAME.h5 by the tasks of a job step.
step() {
  (cd "$work" && timeout 20 srun -n "$2" "$program" run "$study" -o "shared/$1.h5") >"$work/$1.log" 2>&1 ||
    { cat "$work/$1.log"; fail "srun -n $2 fails"; }
}

# script NAME OPTION...: NAME.h5 by the script that plan writes.
script() {
  name=$1
  shift
  cp "$study" "$work/$name.json"
  (cd "$work" && "$program" plan "$name.json" --tasks 3 --emit slurm -o "$name.sh" "$@" && PATH="$work/bin:$PATH" sh "$name.sh") >"$work/$name.log" 2>&1 ||
    { cat "$work/$name.log"; fail "the script of plan --emit slurm fails"; }
  for _ in $(seq 150); do
    [ -n "$(squeue -h 2>/dev/null)" ] || break
    sleep 0.1
  done
  [ -s "$work/$name.h5" ] || { tail -n 5 "$work"/slurm-*.out; fail "the tasks of $name.sh leave no result"; }
  rm -f "$work"/slurm-*.out
  mv "$work/$name.h5" "$work/shared/"
}

start_munge
configure
start_slurm
mkdir "$work/shared"
export OMP_NUM_THREADS=1
"$program" run "$study" -o "$work/single.h5" >"$work/single.log" 2>&1 || { cat "$work/single.log"; exit 1; }

batch array --array=0-3
batch stepped --array=1-7:2
batch alone --ntasks=3 # of which a batch script runs one: it must not leave chunks to the others
step step 2
mkdir "$work/bin"
ln -s "$(command -v "$program")" "$work/bin/omniroll"
script planned
for made in array:4 stepped:4 alone:1 step:2 planned:3; do
  sh "$here/expect_same.sh" "$work/single.h5" "$work/shared/${made%:*}.h5" "${made#*:}"
done
sh "$here/expect_only.sh" "$work/shared" array.h5 stepped.h5 alone.h5 step.h5 planned.h5
