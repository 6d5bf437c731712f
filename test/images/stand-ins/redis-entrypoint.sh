#!/bin/sh
# Of the official image: a user without rights, and answers for other containers.
set -eu
if [ "$1" = redis-server ] && [ "$(id -u)" = 0 ]; then
  chown redis .
  exec setpriv --reuid redis --regid redis --init-groups "$0" "$@"
fi
[ "$1" != redis-server ] || set -- "$@" --protected-mode no
exec "$@"
