import fc from 'fast-check';
import { anyCharacter } from '@po/testing/any-character';
import { type Published, methodsOf } from './document.js';
import { type Known, valuesOf } from './random-values.js';
import type { ApiRequest } from './send.js';

/** A request with its body as text. */
type Request = ApiRequest & { body: string | undefined };

const JSON_TYPE = 'application/json';

interface Drafted {
  params: Record<string, string>;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  body: unknown;
}

/** Requests that conform to the document. */
export function validRequests(operation: Published, known: Known): fc.Arbitrary<Request> {
  return drafts(operation, known).map((draft) => requestOf(operation, draft));
}

/** Requests that conform to the document except for one defect. */
export function brokenRequests(operation: Published, known: Known): fc.Arbitrary<Request> {
  return drafts(operation, known).chain((draft) => {
    const request = requestOf(operation, draft);
    const breakings: fc.Arbitrary<Request>[] = [
      brokenHeaders().map((headers) => ({ ...request, headers: { ...request.headers, ...headers } })),
      brokenQuery(operation).map((extra) => ({
        ...request,
        path: `${request.path}${request.path.includes('?') ? '&' : '?'}${extra}`,
      })),
      otherMethods(operation).map((method) => ({
        ...request,
        method,
        body: method === 'HEAD' ? undefined : request.body,
      })),
    ];
    if (Object.keys(draft.params).length > 0) breakings.push(brokenParams(operation, draft));
    if (operation.body) breakings.push(brokenText(request));
    if (operation.body?.content[JSON_TYPE]) {
      breakings.push(brokenBody(draft.body).map((body) => ({ ...request, body })));
    }
    return fc.oneof(...breakings);
  });
}

function drafts({ parameters, body }: Published, known: Known): fc.Arbitrary<Drafted> {
  const of = (place: string) => {
    const all = parameters.filter((parameter) => parameter.in === place);
    const text =
      place === 'header'
        ? (value: unknown) =>
            written(value)
              .replaceAll(/[^ -~]/g, 'x')
              .trim()
        : written;
    const fields = all.map(({ name, schema }) => [name, valuesOf(schema, known, name).map(text)] as const);
    const requiredKeys = all.filter(({ required }) => required).map(({ name }) => name);
    return fc.record(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<
      Record<string, string>
    >;
  };
  const json = body?.content[JSON_TYPE]?.schema;
  const file = body?.content['text/csv'] ? tables(known) : fc.constant(undefined);
  return fc.record({
    params: of('path'),
    query: of('query').map((query) => Object.entries(query)),
    headers: of('header'),
    body: json ? valuesOf(json, known) : file,
  });
}

const written = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

function requestOf({ method, path }: Published, { params, query, headers, body }: Drafted): Request {
  const target = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => segment(params[name] ?? ''));
  // A string is a CSV file, because no operation accepts a JSON string as its body.
  const isTable = typeof body === 'string';
  const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString();
  return {
    method,
    path: `${target}${search && `?${search}`}`,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': isTable ? 'text/csv' : JSON_TYPE }) },
    body: isTable || body === undefined ? body : JSON.stringify(body),
  };
}

/** CSV files with replies to lines, as spreadsheet programs write them. */
const tables = ({ rowHash = [] }: Known): fc.Arbitrary<string> =>
  fc
    .uniqueArray(
      fc.tuple(fc.constantFrom(...rowHash, 'none'), fc.nat(9_999), fc.constantFrom('', 'clear', '12.5', '0.0001')),
      {
        maxLength: 4,
        selector: ([hash]) => hash,
      },
    )
    .map((rows) => [['Row ID', 'Reply Qty', 'Reply Price'], ...rows].map((row) => `${row.join(',')}\r\n`).join(''));

/** A path segment. Dots alone would be resolved as the current or parent folder. */
const segment = (text: string): string => (/^\.*$/.test(text) ? `${text}%20` : encodeURIComponent(text.toWellFormed()));

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 50 }),
  fc.string({ unit: 'grapheme', minLength: 900, maxLength: 1_100 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e9',
    'NaN',
    'null',
    'true',
    '__proto__',
    '%',
    "' OR 1=1 --",
    '\u0000',
    '日本語',
    '9'.repeat(400),
  ),
);

const brokenParams = (operation: Published, draft: Drafted): fc.Arbitrary<Request> =>
  anyText.map((text) =>
    requestOf(operation, {
      ...draft,
      params: Object.fromEntries(Object.keys(draft.params).map((name) => [name, text])),
    }),
  );

function brokenQuery({ parameters }: Published): fc.Arbitrary<string> {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const name = fc.constantFrom(...names, '__proto__', 'constructor', 'x', '');
  const value = fc.oneof(
    anyText.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom('%', '%ff', '%zz'),
  );
  return fc
    .array(fc.tuple(name, value), { minLength: 1, maxLength: 3 })
    .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));
}

const headerText = fc.oneof(
  fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,200}$/).map((text) => text.trim()),
  fc.constantFrom(
    '',
    '*',
    '"',
    'W/"1"',
    '"1", "2"',
    'gzip',
    'text/csv',
    'application/json; charset=latin1',
    'x'.repeat(3_000),
  ),
);

const brokenHeaders = (): fc.Arbitrary<Record<string, string>> =>
  fc.dictionary(
    fc.constantFrom(
      'if-match',
      'if-none-match',
      'idempotency-key',
      'accept-language',
      'x-request-id',
      'content-type',
      'content-encoding',
      'accept',
      'accept-encoding',
      'traceparent',
      'last-event-id',
      'x-http-method-override',
    ),
    headerText,
    { minKeys: 1, maxKeys: 3, noNullPrototype: true },
  );

const otherMethods = ({ path }: Published): fc.Arbitrary<string> =>
  fc.constantFrom(
    ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'].filter(
      (name) => !methodsOf(path).includes(name),
    ),
    'HEAD',
  );

const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }),
  fc.constantFrom(
    null,
    '',
    -1,
    0.5,
    1e21,
    10_000_000,
    true,
    [],
    {},
    'x'.repeat(3_000),
    '\u0000',
    '\ud800',
    '2026-02-30',
    '1800-01-01',
  ),
);

/** A body in which one value at any position is replaced, removed or added. */
function brokenBody(body: unknown): fc.Arbitrary<string> {
  const places = placesIn(body);
  return fc
    .tuple(fc.constantFrom(...places), strange, fc.constantFrom('replace', 'remove', 'add', '__proto__'))
    .map(([place, value, how]) => {
      const changed = change(structuredClone(body), place, how, value);
      return how === '__proto__'
        ? JSON.stringify(changed).replace('{', '{"__proto__":{"a":1},')
        : JSON.stringify(changed);
    });
}

type Place = readonly (string | number)[];

function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [
    at,
    ...Object.entries(value).flatMap(([key, part]) =>
      placesIn(part, [...at, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

function change(body: unknown, place: Place, how: string, value: unknown): unknown {
  const [step, ...rest] = place;
  if (step === undefined) {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    return how === 'add' && isObject ? { ...body, somethingElse: value } : value;
  }
  const holder = body as Record<string | number, unknown>;
  if (rest.length === 0 && how === 'remove') delete holder[step];
  else holder[step] = change(holder[step], rest, how, value);
  return holder;
}

const brokenText = ({ body = '', ...request }: Request): fc.Arbitrary<Request> =>
  fc
    .oneof(
      fc.nat(body.length).map((length) => body.slice(0, length)),
      fc.nat(30).map((depth) => `${'['.repeat(depth)}${body}${']'.repeat(depth)}`),
      fc.constantFrom('', 'null', '[]', '"', '{"a":', '﻿{}', 'NaN', `"${'x'.repeat(1_048_600)}"`),
    )
    .map((text) => ({ ...request, body: text }));
