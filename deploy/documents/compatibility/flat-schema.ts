import type { JsonSchema } from '../json-schema.js';

/** A schema and the document that resolves its references. */
export interface Located {
  schema: JsonSchema;
  root: unknown;
}

/** Annotation keywords, which do not affect validation. */
export const ANNOTATIONS = [
  'description',
  'title',
  'example',
  'examples',
  'deprecated',
  'discriminator',
  '$comment',
  '$id',
  '$schema',
  '$defs',
];

const TEXTS = ['description', 'summary', 'title', 'example', 'examples'];
/** Keywords whose members have names chosen by the document, not keywords. */
const MAPS = ['properties', 'schemas', '$defs'];

/** Returns the document without descriptions and examples, which comparisons ignore. */
export function withoutAnnotations(node: unknown, isMap = false): unknown {
  if (Array.isArray(node)) return node.map((part) => withoutAnnotations(part));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([name]) => isMap || !TEXTS.includes(name));
  return Object.fromEntries(
    kept.map(([name, part]) => [name, withoutAnnotations(part, !isMap && MAPS.includes(name))]),
  );
}

/** Merges the schema with the target of its reference and with all parts of `allOf`. */
export function flatten({ schema, root }: Located): JsonSchema {
  const { $ref, allOf = [], ...own } = schema;
  const referred = typeof $ref === 'string' ? [resolveReference(root, $ref)] : [];
  const parts = [...referred, ...(allOf as JsonSchema[])];
  return [...parts.map((part) => flatten({ schema: part, root })), own].reduce(merged);
}

/** Resolves a reference within a document. Throws if the target does not exist. */
export function resolveReference(root: unknown, reference: string): JsonSchema {
  const steps = reference.slice(2).split('/');
  const found = steps.reduce<unknown>(
    (at, step) => (at as JsonSchema | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    root,
  );
  if (found === undefined) throw new Error(`the document has no ${reference}`);
  return found as JsonSchema;
}

function merged(one: JsonSchema, other: JsonSchema): JsonSchema {
  const both = { ...one, ...other };
  if (one.properties && other.properties) both.properties = { ...one.properties, ...other.properties };
  if (one.required && other.required) {
    both.required = [...new Set([...(one.required as string[]), ...(other.required as string[])])];
  }
  return both;
}

/** Alternatives of two flat schemas. A list of types is split into alternatives only if one of the schemas has alternatives. */
export function alternativesOf(old: Located, now: Located): [Located[], Located[]] {
  const [olds, nows] = [choices(old), choices(now)];
  const both: [JsonSchema[], JsonSchema[]] =
    olds.length === 1 && nows.length === 1 ? [olds, nows] : [olds.flatMap(byType), nows.flatMap(byType)];
  return [both[0].map((schema) => ({ ...old, schema })), both[1].map((schema) => ({ ...now, schema }))];
}

function choices({ schema, root }: Located): JsonSchema[] {
  const { oneOf, anyOf, ...rest } = schema;
  const parts = (oneOf ?? anyOf) as JsonSchema[] | undefined;
  if (!parts) return [schema];
  // A reference without sibling keywords is kept, because recursive schemas are detected by their reference.
  const isAlone = Object.keys(rest).every((keyword) => ANNOTATIONS.includes(keyword));
  return isAlone ? parts : parts.map((part) => merged(rest, flatten({ schema: part, root })));
}

const byType = (schema: JsonSchema): JsonSchema[] =>
  Array.isArray(schema.type) ? schema.type.map((type: unknown) => ({ ...schema, type })) : [schema];

/** Discriminator of an alternative: the first constant string among its fields; undefined if there is none. */
export function tagOf(alternative: Located): string | undefined {
  const { properties = {} } = flatten(alternative);
  const values = Object.values(properties as Record<string, JsonSchema>).map(({ const: value }) => value);
  return values.find((value) => typeof value === 'string');
}
