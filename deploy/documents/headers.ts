import type { ErrorCode } from '@po/contracts';
import type { JsonSchema } from './json-schema.js';
import type { HeaderObject, ParameterObject, Reference } from './openapi-document.js';

const header = (description: string, schema: JsonSchema): HeaderObject => ({ description, schema });
const text = (more: JsonSchema = {}): JsonSchema => ({ type: 'string', ...more });

/** Response headers by their names in lower case. */
const ANSWER_HEADERS = {
  'x-request-id': header("Names this request in the services' logs: that of the request, else a new one.", text()),
  'x-api-version': header('The version of the API: what is added to it does not change it.', text({ const: '1' })),
  'cache-control': header('How long the answer may be kept; never by anybody but the caller.', text()),
  'content-language': header('The language of `title`, `detail` and `message`.', text({ enum: ['en', 'zh'] })),
  location: header('The address of what was made.', text({ format: 'uri-reference' })),
  etag: header('`"<version>"` of what is answered: for `If-Match` and `If-None-Match`.', text({ examples: ['"7"'] })),
  link: header('The `first`, `prev`, `next` and `last` page (RFC 8288), as many as 3,000 characters take.', text()),
  'x-total-count': header('How many there are on all pages.', { type: 'integer', minimum: 0 }),
  'x-unread-count': header('How many of the caller were not read.', { type: 'integer', minimum: 0 }),
  'idempotency-replayed': header('The write was done before, by a request with this key.', text({ const: 'true' })),
  'content-disposition': header('That it is a file, and how it is called.', text()),
  'www-authenticate': header('What is wrong with the token, as RFC 6750 has it.', text()),
  'retry-after': header('Seconds after which trying again can help.', { type: 'integer', minimum: 1 }),
  allow: header('The methods of the path, separated by commas.', text()),
} as const satisfies Record<string, HeaderObject>;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

const ON_EVERY_ANSWER: readonly AnswerHeader[] = ['x-request-id', 'x-api-version', 'cache-control'];

const OF_CODE: Partial<Record<ErrorCode, AnswerHeader>> = {
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
const SPELLINGS: Partial<Record<AnswerHeader, string>> = {
  etag: 'ETag',
  'www-authenticate': 'WWW-Authenticate',
  'x-api-version': 'X-API-Version',
};
const spelled = (name: AnswerHeader): string =>
  SPELLINGS[name] ?? name.replaceAll(/(^|-)\w/g, (letter) => letter.toUpperCase());

/** Headers Objects. Headers that are always present refer to `components.headers`; optional ones are inlined. */
export const headersOf = (
  always: readonly AnswerHeader[],
  sometimes: readonly AnswerHeader[] = [],
): Record<string, HeaderObject | Reference> => ({
  ...Object.fromEntries(
    [...ON_EVERY_ANSWER, ...always].map((name) => [spelled(name), { $ref: `#/components/headers/${spelled(name)}` }]),
  ),
  ...Object.fromEntries(sometimes.map((name) => [spelled(name), ANSWER_HEADERS[name]])),
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
export const writtenHeaders = (always: readonly AnswerHeader[]): Record<string, HeaderObject> =>
  Object.fromEntries(
    [...ON_EVERY_ANSWER, ...always].map((name) => {
      const { description, schema } = ANSWER_HEADERS[name];
      return [spelled(name), { description, required: true, schema }];
    }),
  );

/** Header components that a part of the document refers to. */
export function headerComponents(part: unknown): Record<string, HeaderObject> {
  const text = JSON.stringify(part);
  const all = Object.entries(writtenHeaders(Object.keys(ANSWER_HEADERS) as AnswerHeader[]));
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
    'The language of problems and of labels in files: Chinese where it ranks above English, else English.',
    text({ examples: ['zh-CN, en;q=0.5'] }),
  ),
  RequestId: parameter(
    'X-Request-Id',
    'Names the request in logs and in the answer: 1 to 64 letters, digits, ".", "_" and "-"; any other is replaced.',
    text({ examples: ['form-7f3a'] }),
  ),
  IfNoneMatch: parameter(
    'If-None-Match',
    'The entity tag of what the caller has: where all that is shown is still so, the answer is 304 without a body.',
    text({ examples: ['"7"'] }),
  ),
  LastEventId: parameter(
    'Last-Event-ID',
    'The `id` of the last event that the caller has: what came after it is sent first.',
    text({ maxLength: 100 }),
  ),
  IfMatch: parameter(
    'If-Match',
    'The entity tag of what the caller saw: where it changed since, nothing is done and the answer is 412.',
    text({ pattern: '^("[0-9]+"|[*])$', examples: ['"7"'] }),
  ),
  IdempotencyKey: parameter(
    'Idempotency-Key',
    'Makes the write safe to repeat: for at least 24 hours, a request with the same key and body is answered as the first one was.',
    text({ pattern: '^[!-~]{1,128}$' }),
  ),
};
