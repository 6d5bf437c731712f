#!/bin/sh
# Starts nginx with the settings of the environment. Exits with 78 and all that is wrong with them, as the services do.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tmp=${TMPDIR:-/tmp}
scope=${PORTAL_OIDC_SCOPE:-openid profile email}
origins=${PORTAL_OIDC_ORIGINS:-}
problems=''

# Characters that mean nothing to nginx, to JSON or to a policy.
may_be() {
  case $3 in
    '' | *[!$2]*) problems="$problems  $1: $4
" ;;
  esac
}
is_url() {
  case $2 in
    http://?* | https://?*) may_be "$1" 'A-Za-z0-9._~:/%-' "$2" "$3" ;;
    *) problems="$problems  $1: $3
" ;;
  esac
}

is_url PORTAL_OIDC_AUTHORITY "${PORTAL_OIDC_AUTHORITY:-}" \
  'issuer URL of the identity provider, such as https://login.example.com/tenant'
# As the gateway: what is on the way from another machine by http may be changed there.
case ${AUTH_ALLOW_HTTP:-false} in
  true) ;;
  false)
    if printf %s "${PORTAL_OIDC_AUTHORITY:-}" | grep -Eq '^http://' &&
      ! printf %s "$PORTAL_OIDC_AUTHORITY" | grep -Eq '^http://(localhost|127([.][0-9]+){3})(:[0-9]+)?(/|$)'; then
      problems="$problems  PORTAL_OIDC_AUTHORITY: https beyond this machine, unless AUTH_ALLOW_HTTP is true
"
    fi
    ;;
  *) problems="$problems  AUTH_ALLOW_HTTP: true or false
" ;;
esac
may_be PORTAL_OIDC_CLIENT_ID 'A-Za-z0-9._~:/@-' "${PORTAL_OIDC_CLIENT_ID:-}" "the portal's client there, such as po-portal"
may_be PORTAL_OIDC_SCOPE 'A-Za-z0-9._~:/@ -' "$scope" 'scopes separated by spaces, such as openid profile email'
for origin in $(printf %s "$origins" | tr ',' ' '); do
  case $origin in *://*/*) origin='' ;; esac
  is_url PORTAL_OIDC_ORIGINS "$origin" 'origins separated by commas, such as https://token.example.com'
done
may_be PORT 0-9 "${PORT:-8080}" 'a port number'
may_be MANAGEMENT_PORT 0-9 "${MANAGEMENT_PORT:-9464}" 'a port number'
if [ -n "$problems" ]; then
  printf 'bad configuration of the portal:\n%s' "$problems" >&2
  exit 78
fi

provider=$(printf %s "$PORTAL_OIDC_AUTHORITY" | sed -E 's|^([a-z]+://[^/]+).*|\1|')
sed \
  -e "s|@PROVIDERS@|$(printf '%s %s' "$provider" "$(printf %s "$origins" | tr ',' ' ')" | sed 's| *$||')|g" \
  -e "s|@AUTHORITY@|$PORTAL_OIDC_AUTHORITY|g" \
  -e "s|@CLIENT_ID@|$PORTAL_OIDC_CLIENT_ID|g" \
  -e "s|@SCOPE@|$scope|g" \
  -e "s|@PORT@|${PORT:-8080}|g" \
  -e "s|@MANAGEMENT_PORT@|${MANAGEMENT_PORT:-9464}|g" \
  -e "s|@HERE@|$here|g" \
  -e "s|@TMP@|$tmp|g" \
  "$here/nginx.conf.template" > "$tmp/nginx.conf"
exec nginx -e stderr -c "$tmp/nginx.conf" -g 'daemon off;'
