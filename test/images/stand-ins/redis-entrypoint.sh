#!/bin/sh
# As in the official image: runs Redis as an unprivileged user and accepts connections from other containers.
set -eu
if [ "$1" = redis-server ] && [ "$(id -u)" = 0 ]; then
  chown redis .
  exec setpriv --reuid redis --regid redis --init-groups "$0" "$@"
fi
[ "$1" != redis-server ] || set -- "$@" --protected-mode no
exec "$@"
