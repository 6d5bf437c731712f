import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A JSON Schema 2020-12, or a part of one. */
export type JsonSchema = Record<string, unknown>;

/** Whether a schema describes input of the service (a body, a parameter, a message from another system) or its output. */
export type Direction = 'input' | 'output';

// Key order for readers: short keywords first, nested schemas last.
const ORDER = ['$ref', 'description', 'type', 'format', 'const', 'enum'];
const LAST = ['items', 'properties', 'required', 'additionalProperties', 'examples'];

/** Reference prefix of the schemas in `all()`. */
const ROOT = '#/components/schemas/';

const OF_TYPE: Record<string, readonly string[]> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
};

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

/**
 * JSON Schemas of a document. Schemas with an id (`.meta({ id })`) are written once, under `ROOT`, and referenced elsewhere.
 */
export class NamedSchemas {
  readonly #named = new Map<string, JsonSchema>();

  /** Returns the schema, or a reference if the schema has an id. Throws if two different schemas have the same id. */
  of(schema: z.ZodType, direction: Direction): JsonSchema {
    // Wrapped in an array, because Zod turns a schema with an id into a definition only if it is nested.
    const { items, $defs = {} } = z.toJSONSchema(z.array(schema), {
      io: direction,
      target: 'draft-2020-12',
      override: ({ zodSchema, jsonSchema }) => {
        // Zod omits the default of transformed values, where clients need it most.
        const { default: usual } = z.globalRegistry.get(zodSchema as z.core.$ZodType) ?? {};
        if (usual !== undefined) jsonSchema.default = usual as typeof jsonSchema.default;
      },
    });
    for (const [name, definition] of Object.entries($defs)) this.add(name, this.#readable(definition, direction));
    return this.#readable(items, direction);
  }

  /** Stores a schema under a name and returns a reference to it. Throws if a different schema has this name. */
  add(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#named.get(name);
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`two different schemas are named ${name}`);
    this.#named.set(name, schema);
    return { $ref: `${ROOT}${name}` };
  }

  /** All named schemas by name, sorted. */
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
    // Clients must tolerate added fields in output; in their input, an unknown field is a mistake.
    if (direction === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
    return inOrder(plain(orNull(schema)));
  }
}

/** Applies `change` to the schema of each property. */
export const mapped = (parts: JsonSchema, change: (part: unknown) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]));

/** Writes a choice between a simple type and null as `{ type: [T, 'null'] }`. */
function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [one, none] = anyOf as [JsonSchema, JsonSchema];
  if (none.type !== 'null' || typeof one.type !== 'string') return schema;
  const values = Array.isArray(one.enum) ? { enum: [...(one.enum as unknown[]), null] } : {};
  return { ...one, ...values, ...rest, type: [one.type, 'null'] };
}

/** Removes keywords that are redundant with the type or belong to another type. */
function plain(schema: JsonSchema): JsonSchema {
  if (Number.isInteger(schema.const)) schema.type = 'integer';
  const types = [schema.type].flat().map((type) => (type === 'integer' ? 'number' : String(type)));
  const kept = Object.entries(schema).filter(([key, value]) => {
    if (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) return false;
    if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return false;
    if (key === 'pattern' && schema.format !== undefined) return false;
    // Parameters are parsed from text, but for clients their type is not a string.
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
