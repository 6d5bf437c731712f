import { FIXED_HEADERS } from '@po/gateway/dist/http/fixed-headers.js';
import {
  CLIENT_ROUTES,
  LICENCES,
  MEDIA_TYPES,
  NONCE,
  NOTHING_IN_IT,
  NOT_ITS_OWN,
  SILENT_ROUTE,
  policyOf,
} from '@po/gateway/dist/portal/rules.js';

const { 'x-api-version': _version, vary: _vary, ...HEADERS } = FIXED_HEADERS;
/** A random number of each request, as 32 hexadecimal digits. */
const NONCE_OF_REQUEST = '$request_id';

/** The configuration of the server of the portal's own image, by its path from the root; `start.sh` puts settings where `@…@` stands. */
export const portalServer = (): Record<string, string> => ({
  'deploy/portal/nginx.conf.template': `# Written by npm run docs: what the gateway does where it serves the portal, done by nginx. start.sh puts settings where @…@ stands.
worker_processes 2;
pid @TMP@/nginx.pid;
error_log stderr warn;

events {
  worker_connections 1024;
}

http {
  client_body_temp_path @TMP@/nginx;
  proxy_temp_path @TMP@/nginx;
  fastcgi_temp_path @TMP@/nginx;
  uwsgi_temp_path @TMP@/nginx;
  scgi_temp_path @TMP@/nginx;
  # Without the query: codes of sign-ins stand there.
  log_format line escape=json '{"time":"$time_iso8601","method":"$request_method","path":"$uri","status":$status,"bytes":$body_bytes_sent}';
  access_log /dev/stdout line;
  server_tokens off;
  types {
${Object.entries(MEDIA_TYPES)
  .map(([ending, type]) => `    "${type}" ${ending.slice(1)};`)
  .join('\n')}
  }
  # Whoever mistypes an address sees the portal's own page for that; a program is told so.
  map $http_accept $lost {
    default /.problem;
    "~text/html" /.lost;
  }

  server {
    listen @PORT@;
    root "@HERE@/site";
    merge_slashes off;
    max_ranges 0;
    error_page 400 /.bad;
    error_page 404 $lost;
    error_page 405 @method;
${headers({ policy: NOTHING_IN_IT, cache: 'no-store', indent: 4 })}

    if ($request_method !~ ^(GET|HEAD)$) {
      return 405;
    }

    location ~ ^(${CLIENT_ROUTES.map((route) => route.replace(/:\w+/, '[^/]+')).join('|')})$ {
${page('/index.html', "'none'")}
    }

    location = ${SILENT_ROUTE} {
${page('/signed-in-silently.html', "'self'")}
    }

    location = /.lost {
      internal;
${page('/index.html', "'none'")}
    }

    location = /portal.json {
      default_type "application/json; charset=utf-8";
      return 200 '{"authority":"@AUTHORITY@","clientId":"@CLIENT_ID@","scope":"@SCOPE@"}';
    }

    location ~ ^/assets/[^/]+\\.(${Object.keys(MEDIA_TYPES)
      .map((ending) => ending.slice(1))
      .join('|')})$ {
${file('public, max-age=31536000, immutable')}
    }

    location = ${LICENCES} {
      types {
      }
      default_type "text/plain; charset=utf-8";
${file('public, no-cache')}
    }

    # Not the portal's to answer.
    location ~ ^(${NOT_ITS_OWN.join('|')})(/|$) {
      error_page 404 /.problem;
      return 404;
    }

    location / {
      return 404;
    }

    location = /.problem {
      internal;
${problem(404, 'Not Found')}
    }

    location = /.bad {
      internal;
${problem(400, 'Bad Request')}
    }

    location @method {
${headers({ policy: NOTHING_IN_IT, cache: 'no-store', indent: 6 })}
      add_header Allow "GET, HEAD" always;
${problem(405, 'Method Not Allowed')}
    }
  }

  server {
    listen @MANAGEMENT_PORT@;
    access_log off;

    location ~ ^/(healthz|readyz)$ {
      default_type text/plain;
      return 200 'ok';
    }

    location / {
      return 404;
    }
  }
}
`,
});

interface Headers {
  policy: string;
  cache: string;
  frames?: string;
  indent: number;
}

/** All of them in each place that has any of its own: nginx adds nothing of what stands around it then. */
function headers({ policy, cache, frames = HEADERS['x-frame-options'], indent }: Headers): string {
  const all = { ...HEADERS, 'x-frame-options': frames, 'content-security-policy': policy, 'cache-control': cache };
  return Object.entries(all)
    .map(([name, value]) => `${' '.repeat(indent)}add_header ${name} "${value}" always;`)
    .join('\n');
}

/** A page under the nonce of its request. Nothing of it may be taken from before. */
function page(path: string, ancestors: "'none'" | "'self'"): string {
  const frames = ancestors === "'self'" ? 'SAMEORIGIN' : HEADERS['x-frame-options'];
  return `${headers({ policy: policyOf(NONCE_OF_REQUEST, '@PROVIDERS@', ancestors), cache: 'no-store', frames, indent: 6 })}
      types {
      }
      default_type "text/html; charset=utf-8";
      if_modified_since off;
      etag off;
      sub_filter_types *;
      sub_filter_once off;
      sub_filter ${NONCE} ${NONCE_OF_REQUEST};
      try_files ${path} =404;`;
}

const file = (cache: string): string => `${headers({ policy: NOTHING_IN_IT, cache, indent: 6 })}
      gzip_static on;
      gzip_proxied any;
      gzip_vary on;
      error_page 404 /.problem;
      try_files $uri =404;`;

const problem = (
  status: number,
  title: string,
): string => `      default_type "application/problem+json; charset=utf-8";
      return ${status} '{"type":"about:blank","title":"${title}","status":${status}}';`;
