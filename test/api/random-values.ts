import fc from 'fast-check';
import { anyCharacter } from '@po/testing/any-character';
import { type JsonSchema, resolveReference } from '../../deploy/documents/json-schema.js';
import { DOCUMENT } from './document.js';

/** Existing values by the name of the field or parameter that accepts them. */
export type Known = Record<string, readonly string[]>;

const MAX_LENGTH = 60;
const ELEMENTS = 4;

/** JSON that a schema of the document allows. A field with known values gets one of them in four of five cases. */
export function valuesOf(schema: JsonSchema, known: Known, name = ''): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return valuesOf(resolveReference(DOCUMENT, schema.$ref), known, name);
  const choices = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, known, name)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: unknown) => valuesOf({ ...schema, type }, known, name)));
  }
  const existing = known[name] ?? [];
  const made = ofType(schema, known);
  return existing.length === 0
    ? made
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...existing) }, { weight: 1, arbitrary: made });
}

function ofType(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const bound = (keyword: string, otherwise: number) => Number(schema[keyword] ?? otherwise);
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: bound('minimum', -1e6), max: bound('maximum', 1e6) });
    case 'number': {
      // Prices have at most 4 decimals, percentages and amounts 2.
      const [min, max] = [bound('exclusiveMinimum', bound('minimum', -1e6)), bound('maximum', 1e6)];
      const of = (scale: number) =>
        fc.integer({ min: min * scale + 1, max: Math.floor(Math.min(max, 1e9) * scale) }).map((units) => units / scale);
      return fc.oneof({ weight: 9, arbitrary: of(100) }, { weight: 1, arbitrary: of(10_000) });
    }
    case 'array':
      return fc.uniqueArray(valuesOf((schema.items ?? {}) as JsonSchema, known), {
        minLength: bound('minItems', 0),
        maxLength: Math.min(bound('maxItems', ELEMENTS), ELEMENTS),
        selector: keyOf,
      });
    case 'object':
      return objects(schema, known);
    default:
      return texts(schema);
  }
}

// A list must not repeat a line, an order or a currency.
const keyOf = (value: unknown): unknown => {
  const { rowHash, poRef, currency } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return rowHash ?? poRef ?? currency ?? JSON.stringify(value);
};

function objects(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const fields = Object.fromEntries(properties.map(([name, part]) => [name, valuesOf(part, known, name)]));
  const requiredKeys = (schema.required ?? []) as string[];
  return fc
    .record(fields, { requiredKeys, noNullPrototype: true })
    .filter((value) => Object.keys(value).length >= Number(schema.minProperties ?? 0));
}

function texts({ format, pattern, minLength = 0, maxLength = MAX_LENGTH }: JsonSchema): fc.Arbitrary<string> {
  const dates = fc.date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });
  if (format === 'date') return dates.map((date) => date.toISOString().slice(0, 10));
  if (format === 'date-time') return dates.map((date) => date.toISOString());
  if (format === 'uuid') return fc.uuid();
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  const [min, max] = [Number(minLength), Number(maxLength)];
  // Any character except NUL, which PostgreSQL cannot store.
  const unit = anyCharacter.filter((character) => character !== '\u0000');
  const usual = fc.string({ unit, minLength: min, maxLength: Math.min(max, MAX_LENGTH) });
  const longest = fc.string({ unit: 'grapheme-ascii', minLength: max, maxLength: max });
  return max <= MAX_LENGTH ? usual : fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: longest });
}
