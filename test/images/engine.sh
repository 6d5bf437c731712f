#!/bin/sh
# Runs dockerd of a Debian in a folder ($1), in its own mount and process namespaces: the end of this script, or of the process that started
# it, ends every container and mount. $2 is the folder of the socket and all data; further arguments are folders that containers may mount.
set -eu
if [ "$1" != inside ]; then
  exec setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child sh "$0" inside "$@"
fi
shift
root=$1
dir=$2
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
for folder in /sys /dev; do mount --rbind "$folder" "$root$folder"; done
for folder in /run /tmp; do mount -t tmpfs tmpfs "$root$folder"; done
shift 2
for folder in "$@"; do
  mkdir -p "$root$folder"
  mount --bind "$folder" "$root$folder"
done
cat /etc/resolv.conf >"$root/etc/resolv.conf"
cd "$root"
mkdir -p mnt/machine
# With chroot alone, docker exec would enter the files of this machine.
pivot_root . mnt/machine
umount --lazy /mnt/machine
dockerd --data-root "$dir/data" --host "unix://$dir/docker.sock" &
# Also reaps the shims of containers, which become children of this process.
wait
