#!/bin/sh
# As in the official image: initializes an empty volume with the password and scripts, and runs the server as an unprivileged user.
set -eu
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres "$PGDATA"
  chmod 700 "$PGDATA"
  exec setpriv --reuid postgres --regid postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  passwords=$(mktemp)
  echo "${POSTGRES_PASSWORD:?is needed}" >"$passwords"
  # shellcheck disable=SC2086 # Several arguments.
  initdb --username=postgres --pwfile="$passwords" --auth-local=trust --auth-host=scram-sha-256 ${POSTGRES_INITDB_ARGS:-}
  rm "$passwords"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl --wait --options="-c listen_addresses=''" start
  for script in /docker-entrypoint-initdb.d/*.sql; do
    echo "runs $script"
    psql --no-psqlrc --set ON_ERROR_STOP=1 --username postgres --file "$script"
  done
  pg_ctl --wait --mode=fast stop
fi
exec "$@" -c listen_addresses='*'
