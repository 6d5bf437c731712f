import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { JsonSchema } from '../../deploy/documents/json-schema.js';
import { DOCUMENT, type Published, mapped, responsesTo } from './document.js';

/** A received answer; `body` is undefined if it is not JSON. */
export interface Received {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

type Schemas = Record<string, JsonSchema>;

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(closeSchemas(DOCUMENT) as JsonSchema, 'document');

/** Violations of the schema at a JSON Pointer of the document. */
export function schemaErrors(pointer: string, value: unknown): string[] {
  const reference = `document#${encodeURI(pointer)}`;
  const validate = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference });
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** Differences between an answer and the document, as sentences. `path` is the part after `/api`. */
export function undocumented(method: string, path: string, { status, headers, text, body }: Received): string[] {
  const response = responsesTo(method, path)[status];
  if (!response) return [`${status} is not a documented answer: ${text.slice(0, 500)}`];
  const found = Object.entries(response.headers).flatMap(([name, { pointer, required }]) => {
    const value = headers.get(name);
    if (value === null) return required === true ? [`the header ${name} is missing`] : [];
    return headerErrors(pointer, name, value);
  });
  if (method !== 'HEAD' && response.content) return [...found, ...contentErrors(response, headers, body)];
  return text === '' ? found : [...found, 'the body is not documented'];
}

/** Throws unless an answer matches the document, with every required member and header and no undocumented member. */
export function expectConformity(method: string, path: string, received: Received): void {
  const found = undocumented(method, path, received);
  if (found.length > 0) throw new Error(`${method} ${path} answered ${received.status}: ${found.join('; ')}`);
}

function contentErrors({ pointer, content = {} }: Published['responses'][string], headers: Headers, body: unknown) {
  const given = headers.get('content-type') ?? '';
  const media = Object.keys(content).find((type) => given === (isJson(type) ? `${type}; charset=utf-8` : type));
  if (media === undefined) return [`${given} is not a documented media type`];
  return isJson(media) ? schemaErrors(`${pointer}/content/${media.replaceAll('/', '~1')}/schema`, body) : [];
}

const isJson = (media: string): boolean => media.endsWith('json');

function headerErrors(pointer: string, name: string, text: string): string[] {
  const value = /^\d+$/.test(text) ? Number(text) : text;
  const schemas = [value, text].map((one) => schemaErrors(`${pointer}/schema`, one));
  return schemas.some((errors) => errors.length === 0) ? [] : [`${name}: ${text} ${schemas.flat().join('; ')}`];
}

/**
 * The document with closed schemas, which allow only the members that they name. The published schemas are open, because a client must not
 * fail when a later release adds a member.
 */
function closeSchemas(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closeSchemas);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, part]: [string, unknown]) => {
      if (key.startsWith('example')) return [key, part];
      if (key === 'schema') return [key, closed(part as JsonSchema)];
      return [key, key === 'schemas' ? mapped(part as Schemas, open) : closeSchemas(part)];
    }),
  );
}

function closed(schema: JsonSchema): JsonSchema {
  const choices = (schema.anyOf ?? []) as JsonSchema[];
  // The members of a problem depend on its code.
  const isAnyProblem = choices.some(({ $ref }) => String($ref).endsWith('/Problem'));
  return isAnyProblem ? open(schema) : { ...open(schema), unevaluatedProperties: false };
}

/** Closes the nested schemas but not the schema itself, because an enclosing `allOf` adds members to it. */
function open({ properties, items, additionalProperties: others, ...rest }: JsonSchema): JsonSchema {
  const choices = ['allOf', 'anyOf', 'oneOf'].filter((keyword) => keyword in rest);
  const isMap = typeof others === 'object' && Object.keys(others ?? {}).length > 0;
  return {
    ...rest,
    ...(properties ? { properties: mapped(properties as Schemas, closed) } : {}),
    ...(items ? { items: closed(items as JsonSchema) } : {}),
    // Omits an empty schema, which would allow every member.
    ...(isMap ? { additionalProperties: closed(others as JsonSchema) } : {}),
    ...Object.fromEntries(choices.map((keyword) => [keyword, (rest[keyword] as JsonSchema[]).map(open)])),
  };
}
