import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A schema of JSON Schema 2020-12, or a part of one. */
export type JsonSchema = Record<string, unknown>;

/** Whether a schema tells what is taken (a body, a parameter, a message of others) or what is given. */
export type Direction = 'taken' | 'given';

// For people: what says a thing shortly comes first, what holds others last.
const ORDER = ['$ref', 'description', 'type', 'format', 'const', 'enum'];
const LAST = ['items', 'properties', 'required', 'additionalProperties', 'examples'];

/** Where a document keeps `all()`. */
const ROOT = '#/components/schemas/';

const OF_TYPE: Record<string, readonly string[]> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
};

/**
 * JSON Schemas of what a document speaks of. Schemas with an id (`.meta({ id })`) are written once, under `ROOT`, and referred to by
 * everything else.
 */
export class NamedSchemas {
  readonly #named = new Map<string, JsonSchema>();

  /** The schema, or a reference to it where it has an id. Throws when two that differ have the same id. */
  of(schema: z.ZodType, direction: Direction): JsonSchema {
    // As an array of it: a schema that has an id becomes a definition only where it is a part.
    const { items, $defs = {} } = z.toJSONSchema(z.array(schema), {
      io: direction === 'taken' ? 'input' : 'output',
      target: 'draft-2020-12',
      override: ({ zodSchema, jsonSchema }) => {
        // Zod leaves it out of what is transformed, where clients need it most.
        const { default: usual } = z.globalRegistry.get(zodSchema as z.core.$ZodType) ?? {};
        if (usual !== undefined) jsonSchema.default = usual as typeof jsonSchema.default;
      },
    });
    for (const [name, definition] of Object.entries($defs)) this.add(name, this.#readable(definition, direction));
    return this.#readable(items, direction);
  }

  /** Keeps a schema under a name and answers a reference to it. Throws when another one has the name. */
  add(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#named.get(name);
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`two schemas that differ are named ${name}`);
    this.#named.set(name, schema);
    return { $ref: `${ROOT}${name}` };
  }

  /** Every schema that has a name, by it. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #readable(node: unknown, direction: Direction): JsonSchema {
    const { id: _id, propertyNames: _names, $ref, ...schema } = node as JsonSchema;
    if (typeof $ref === 'string') schema.$ref = $ref.replace('#/$defs/', ROOT);
    const inner = (part: unknown) => this.#readable(part, direction);
    if (schema.properties) schema.properties = mapped(schema.properties as JsonSchema, inner);
    for (const key of ['items', 'additionalProperties']) {
      if (typeof schema[key] === 'object') schema[key] = inner(schema[key]);
    }
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      if (Array.isArray(schema[key])) schema[key] = schema[key].map(inner);
    }
    // Clients tolerate what is added; in what they send, a field that is not known is a mistake.
    if (direction === 'given' && schema.additionalProperties === false) delete schema.additionalProperties;
    return inOrder(plain(orNull(schema)));
  }
}

/** The schemas of properties, each changed. */
export const mapped = (parts: JsonSchema, change: (part: unknown) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]));

/** `{ type: [T, 'null'] }` for a choice between a plain type and null. */
function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [one, none] = anyOf as [JsonSchema, JsonSchema];
  if (none.type !== 'null' || typeof one.type !== 'string') return schema;
  const values = Array.isArray(one.enum) ? { enum: [...(one.enum as unknown[]), null] } : {};
  return { ...one, ...values, ...rest, type: [one.type, 'null'] };
}

/** Without what only says what the type says already, and without what another type has. */
function plain(schema: JsonSchema): JsonSchema {
  if (Number.isInteger(schema.const)) schema.type = 'integer';
  const types = [schema.type].flat().map((type) => (type === 'integer' ? 'number' : String(type)));
  const kept = Object.entries(schema).filter(([key, value]) => {
    if (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) return false;
    if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return false;
    if (key === 'pattern' && schema.format !== undefined) return false;
    // A parameter is read from text, and may be anything but a string to its clients.
    if (key === 'enum' && types.includes('boolean')) return false;
    if (schema.type === undefined) return true;
    return Object.entries(OF_TYPE).every(([type, keys]) => !keys.includes(key) || types.includes(type));
  });
  return Object.fromEntries(kept);
}

function inOrder(schema: JsonSchema): JsonSchema {
  const rank = (key: string) => (LAST.includes(key) ? 100 + LAST.indexOf(key) : (ORDER.indexOf(key) + 50) % 50);
  return Object.fromEntries(Object.entries(schema).toSorted(([a], [b]) => rank(a) - rank(b)));
}
