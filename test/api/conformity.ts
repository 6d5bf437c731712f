import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { JsonSchema } from '../../deploy/documents/json-schema.js';
import { DOCUMENT, type Published, mapped, responsesTo } from './document.js';

/** What came back; `body` is undefined where it is no JSON. */
export interface Received {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

type Schemas = Record<string, JsonSchema>;

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(withoutMore(DOCUMENT) as JsonSchema, 'document');

/** In what JSON is not as the schema at a JSON Pointer of the document says. */
export function misfits(pointer: string, value: unknown): string[] {
  const reference = `document#${encodeURI(pointer)}`;
  const validate = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference });
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** In what an answer is not as the document says, each as a sentence. `path` is behind `/api`. */
export function undocumented(method: string, path: string, { status, headers, text, body }: Received): string[] {
  const response = responsesTo(method, path)[status];
  if (!response) return [`${status} is no documented answer: ${text.slice(0, 500)}`];
  const found = Object.entries(response.headers).flatMap(([name, { pointer, required }]) => {
    const value = headers.get(name);
    if (value === null) return required === true ? [`the header ${name} is missing`] : [];
    return headerMisfits(pointer, name, value);
  });
  if (method !== 'HEAD' && response.content) return [...found, ...contentMisfits(response, headers, body)];
  return text === '' ? found : [...found, 'there is a body'];
}

/** Throws unless an answer is as the document says, with every required member and header and no undocumented member. */
export function expectConformity(method: string, path: string, received: Received): void {
  const found = undocumented(method, path, received);
  if (found.length > 0) throw new Error(`${method} ${path} answered ${received.status}: ${found.join('; ')}`);
}

function contentMisfits({ pointer, content = {} }: Published['responses'][string], headers: Headers, body: unknown) {
  const given = headers.get('content-type') ?? '';
  const media = Object.keys(content).find((type) => given === (isJson(type) ? `${type}; charset=utf-8` : type));
  if (media === undefined) return [`${given} is no documented media type`];
  return isJson(media) ? misfits(`${pointer}/content/${media.replaceAll('/', '~1')}/schema`, body) : [];
}

const isJson = (media: string): boolean => media.endsWith('json');

function headerMisfits(pointer: string, name: string, text: string): string[] {
  const value = /^\d+$/.test(text) ? Number(text) : text;
  const schemas = [value, text].map((one) => misfits(`${pointer}/schema`, one));
  return schemas.some((errors) => errors.length === 0) ? [] : [`${name}: ${text} ${schemas.flat().join('; ')}`];
}

/**
 * The document with schemas that allow no member beyond those that they name. The published schemas allow them, because a client must not
 * fail for a member that a later release adds.
 */
function withoutMore(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutMore);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, part]: [string, unknown]) => {
      if (key.startsWith('example')) return [key, part];
      if (key === 'schema') return [key, closed(part as JsonSchema)];
      return [key, key === 'schemas' ? mapped(part as Schemas, open) : withoutMore(part)];
    }),
  );
}

function closed(schema: JsonSchema): JsonSchema {
  const choices = (schema.anyOf ?? []) as JsonSchema[];
  // Which members a problem has depends on its code.
  const isAnyProblem = choices.some(({ $ref }) => String($ref).endsWith('/Problem'));
  return isAnyProblem ? open(schema) : { ...open(schema), unevaluatedProperties: false };
}

/** A schema whose parts are closed, but which is not closed itself: `allOf` of others adds members to it. */
function open({ properties, items, additionalProperties: others, ...rest }: JsonSchema): JsonSchema {
  const choices = ['allOf', 'anyOf', 'oneOf'].filter((keyword) => keyword in rest);
  const isMap = typeof others === 'object' && Object.keys(others ?? {}).length > 0;
  return {
    ...rest,
    ...(properties ? { properties: mapped(properties as Schemas, closed) } : {}),
    ...(items ? { items: closed(items as JsonSchema) } : {}),
    // An empty schema says of any other member that it is allowed.
    ...(isMap ? { additionalProperties: closed(others as JsonSchema) } : {}),
    ...Object.fromEntries(choices.map((keyword) => [keyword, (rest[keyword] as JsonSchema[]).map(open)])),
  };
}
