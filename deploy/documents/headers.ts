import type { ErrorCode } from '@po/contracts';
import type { JsonSchema } from './json-schema.js';
import type { HeaderObject, ParameterObject, Reference } from './openapi-document.js';

const header = (description: string, schema: JsonSchema): HeaderObject => ({ description, schema });
const text = (more: JsonSchema = {}): JsonSchema => ({ type: 'string', ...more });

/** Response headers by their names in lower case. */
const RESPONSE_HEADERS = {
  'x-request-id': header(
    "Identifies this request in the services' logs: the id from the request, else a new one.",
    text(),
  ),
  'x-api-version': header('The version of the API. Additions do not change it.', text({ const: '1' })),
  'cache-control': header('How long the caller may cache the answer; shared caches must not store it.', text()),
  'content-language': header('The language of `title`, `detail` and `message`.', text({ enum: ['en', 'zh'] })),
  location: header('The path of the created resource.', text({ format: 'uri-reference' })),
  etag: header(
    '`"<version>"` of the returned resource, for `If-Match` and `If-None-Match`.',
    text({ examples: ['"7"'] }),
  ),
  link: header(
    'The `first`, `prev`, `next` and `last` page (RFC 8288), as far as they fit into 3,000 characters.',
    text(),
  ),
  'x-total-count': header('The number of results on all pages.', { type: 'integer', minimum: 0 }),
  'x-unread-count': header("The number of the caller's unread notifications.", { type: 'integer', minimum: 0 }),
  'idempotency-replayed': header('An earlier request with this key did the write.', text({ const: 'true' })),
  'content-disposition': header('Marks the answer as a file, and names the file.', text()),
  'www-authenticate': header('What is wrong with the token (RFC 6750).', text()),
  'retry-after': header('Seconds to wait before a retry.', { type: 'integer', minimum: 1 }),
  allow: header('The methods of the path, separated by commas.', text()),
} as const satisfies Record<string, HeaderObject>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

const ON_EVERY_RESPONSE: readonly ResponseHeader[] = ['x-request-id', 'x-api-version', 'cache-control'];

const OF_CODE: Partial<Record<ErrorCode, ResponseHeader>> = {
  TOKEN_MISSING: 'www-authenticate',
  TOKEN_INVALID: 'www-authenticate',
  TOKEN_EXPIRED: 'www-authenticate',
  IDEMPOTENCY_IN_PROGRESS: 'retry-after',
  VERSION_MISMATCH: 'etag',
  RATE_LIMITED: 'retry-after',
  TOO_MANY_STREAMS: 'retry-after',
  TOO_MANY_EXPORTS: 'retry-after',
  TOO_MANY_UPLOADS: 'retry-after',
  UNAVAILABLE: 'retry-after',
};

/** Canonical spellings that differ from the rule that `x-request-id` becomes `X-Request-Id`. */
const SPELLINGS: Partial<Record<ResponseHeader, string>> = {
  etag: 'ETag',
  'www-authenticate': 'WWW-Authenticate',
  'x-api-version': 'X-API-Version',
};
const spelled = (name: ResponseHeader): string =>
  SPELLINGS[name] ?? name.replaceAll(/(^|-)\w/g, (letter) => letter.toUpperCase());

/** Headers Objects. Headers that are always present refer to `components.headers`; optional ones are inlined. */
export const headersOf = (
  always: readonly ResponseHeader[],
  sometimes: readonly ResponseHeader[] = [],
): Record<string, HeaderObject | Reference> => ({
  ...Object.fromEntries(
    [...ON_EVERY_RESPONSE, ...always].map((name) => [spelled(name), { $ref: `#/components/headers/${spelled(name)}` }]),
  ),
  ...Object.fromEntries(sometimes.map((name) => [spelled(name), RESPONSE_HEADERS[name]])),
});

/** Headers of an error response with one of these codes. */
export function headersOfRefusal(codes: readonly ErrorCode[]): Record<string, HeaderObject | Reference> {
  const names = new Set(codes.flatMap((code) => OF_CODE[code] ?? []));
  const always = [...names].filter((name) => codes.every((code) => OF_CODE[code] === name));
  return headersOf(
    ['content-language', ...always],
    [...names].filter((name) => !always.includes(name)),
  );
}

/** Like `headersOf` for headers that are always present, but inlined. */
export const inlineHeaders = (always: readonly ResponseHeader[]): Record<string, HeaderObject> =>
  Object.fromEntries(
    [...ON_EVERY_RESPONSE, ...always].map((name) => {
      const { description, schema } = RESPONSE_HEADERS[name];
      return [spelled(name), { description, required: true, schema }];
    }),
  );

/** Header components that a part of the document refers to. */
export function headerComponents(part: unknown): Record<string, HeaderObject> {
  const text = JSON.stringify(part);
  const all = Object.entries(inlineHeaders(Object.keys(RESPONSE_HEADERS) as ResponseHeader[]));
  return Object.fromEntries(all.filter(([name]) => text.includes(`"#/components/headers/${name}"`)));
}

const parameter = (name: string, description: string, schema: JsonSchema): ParameterObject => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

/** Parameter Objects of request headers other than the token, by component name. */
export const REQUEST_HEADERS = {
  AcceptLanguage: parameter(
    'Accept-Language',
    'The language of problems and of labels in files: Chinese if it ranks above English, else English.',
    text({ examples: ['zh-CN, en;q=0.5'] }),
  ),
  RequestId: parameter(
    'X-Request-Id',
    'Identifies the request in logs and in the answer: 1 to 64 letters, digits, ".", "_" and "-"; other values are replaced.',
    text({ examples: ['form-7f3a'] }),
  ),
  IfNoneMatch: parameter(
    'If-None-Match',
    'The entity tag that the caller has: while it is current, the answer is 304 without a body.',
    text({ examples: ['"7"'] }),
  ),
  LastEventId: parameter(
    'Last-Event-ID',
    'The `id` of the last event that the caller has: later events are sent first.',
    text({ maxLength: 100 }),
  ),
  IfMatch: parameter(
    'If-Match',
    'The entity tag that the caller read: if it is no longer current, nothing is done and the answer is 412.',
    text({ pattern: '^("[0-9]+"|[*])$', examples: ['"7"'] }),
  ),
  IdempotencyKey: parameter(
    'Idempotency-Key',
    'Makes the write safe to repeat: for at least 24 hours, a request with the same key and body gets the answer of the first one.',
    text({ pattern: '^[!-~]{1,128}$' }),
  ),
};
