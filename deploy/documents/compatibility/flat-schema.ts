import type { JsonSchema } from '../json-schema.js';

/** A schema and the document that its references are looked up in. */
export interface Located {
  schema: JsonSchema;
  root: unknown;
}

/** The schema with what it refers to, and with all that `allOf` adds, as one. */
export function flat({ schema, root }: Located): JsonSchema {
  const { $ref, allOf = [], ...own } = schema;
  const referred = typeof $ref === 'string' ? [lookedUp(root, $ref)] : [];
  const parts = [...referred, ...(allOf as JsonSchema[])];
  return [...parts.map((part) => flat({ schema: part, root })), own].reduce(merged);
}

/** What a reference within a document means. */
export function lookedUp(root: unknown, reference: string): JsonSchema {
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

/** What either of two flat schemas may be, each alternative by itself; a list of types counts where the other one has alternatives. */
export function alternativesOf(old: Located, now: Located): [JsonSchema[], JsonSchema[]] {
  const [olds, nows] = [choices(old), choices(now)];
  if (olds.length === 1 && nows.length === 1) return [olds, nows];
  return [olds.flatMap(byType), nows.flatMap(byType)];
}

function choices({ schema, root }: Located): JsonSchema[] {
  const { oneOf, anyOf, ...rest } = schema;
  const parts = (oneOf ?? anyOf) as JsonSchema[] | undefined;
  return parts ? parts.map((part) => merged(rest, flat({ schema: part, root }))) : [schema];
}

const byType = (schema: JsonSchema): JsonSchema[] =>
  Array.isArray(schema.type) ? schema.type.map((type: unknown) => ({ ...schema, type })) : [schema];

/** What tells an alternative from others: the text that one of its fields always is. */
export function tagOf({ properties = {} }: JsonSchema): string | undefined {
  const values = Object.values(properties as Record<string, JsonSchema>).map(({ const: value }) => value);
  return values.find((value) => typeof value === 'string');
}
