import { isDeepStrictEqual } from 'node:util';
import type { Direction, JsonSchema } from '../json-schema.js';
import { type Located, ANNOTATIONS, alternativesOf, flatten, tagOf } from './flat-schema.js';

/** Two flat schemas, their location in sentences, and the comparison of nested schemas. */
interface Pair {
  old: JsonSchema;
  now: JsonSchema;
  direction: Direction;
  at: string;
  inner: (old: unknown, now: unknown, at: string) => string[];
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** An exclusive bound implies the inclusive bound of the same value. */
const IMPLIED_BY: Record<string, string> = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' };
const EXACT = ['format', 'pattern', 'multipleOf', 'uniqueItems', 'contentEncoding', 'contentMediaType'];
/** Keywords with unnamed nested schemas, and their notation in locations. */
const INNER: Record<string, string> = { items: '[]', additionalProperties: '.*', contentSchema: ' (content)' };
const PARTS = ['type', 'const', 'enum', 'default', 'properties', 'required', ...Object.keys(INNER)];
const UNDERSTOOD = new Set([...LOWER, ...UPPER, ...EXACT, ...PARTS, ...ANNOTATIONS]);

/**
 * Breaking changes between two schemas, each as a sentence that begins with its location. Output may gain fields and values and may
 * become narrower; input may be relaxed.
 */
export function schemaBreakingChanges(
  before: Located,
  after: Located,
  direction: Direction,
  at: string,
  above: readonly string[] = [],
): string[] {
  const pair = `${String(before.schema.$ref)} ${String(after.schema.$ref)}`;
  if (before.schema.$ref !== undefined && above.includes(pair)) return [];
  const inner: Pair['inner'] = (old, now, place) =>
    schemaBreakingChanges(
      { schema: old as JsonSchema, root: before.root },
      { schema: now as JsonSchema, root: after.root },
      direction,
      place,
      [...above, pair],
    );
  const [old, now] = [flatten(before), flatten(after)];
  const [olds, nows] = alternativesOf({ ...before, schema: old }, { ...after, schema: now });
  if (olds.length > 1 || nows.length > 1) return choiceBreaks(olds, nows, { direction, at, inner });
  const compared = { old, now, direction, at, inner };
  return [typeBreaks, valueBreaks, boundBreaks, exactBreaks, objectBreaks, partBreaks].flatMap((breaksOf) =>
    breaksOf(compared),
  );
}

/** Matches each relevant alternative with a counterpart: by its tag, or else with the best fit. */
function choiceBreaks(
  olds: readonly Located[],
  nows: readonly Located[],
  { direction, at, inner }: Pick<Pair, 'direction' | 'at' | 'inner'>,
): string[] {
  const [oldTags, nowTags] = [olds.map(tagOf), nows.map(tagOf)];
  if ([...oldTags, ...nowTags].every((tag) => tag !== undefined)) {
    return olds.flatMap(({ schema }, index) => {
      const tag = oldTags[index];
      const counterpart = nows[nowTags.indexOf(tag)];
      return counterpart ? inner(schema, counterpart.schema, `${at} (${tag})`) : [`${at} can no longer be ${tag}`];
    });
  }
  const [mattering, others] = direction === 'output' ? [nows, olds] : [olds, nows];
  return mattering.flatMap(({ schema: one }) => {
    const tried = others.map(({ schema: other }) =>
      direction === 'output' ? inner(other, one, at) : inner(one, other, at),
    );
    return tried.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
}

function typeBreaks({ old, now, direction, at }: Pair): string[] {
  const [before, after] = [typesOf(old), typesOf(now)];
  const [wide, narrow] = direction === 'output' ? [before, after] : [after, before];
  if (wide === null) return [];
  const misfits = (narrow ?? ['anything']).filter(
    (type) => !wide.includes(type) && !(type === 'integer' && wide.includes('number')),
  );
  return misfits.map((type) =>
    direction === 'output' ? `${at} may be ${type} now` : `${at} may not be ${type} any more`,
  );
}

function typesOf({ type, const: only, enum: values }: JsonSchema): string[] | null {
  if (type !== undefined) return [type].flat() as string[];
  const known = only === undefined ? values : [only];
  return Array.isArray(known) ? [...new Set(known.map((value) => (value === null ? 'null' : typeof value)))] : null;
}

function valueBreaks({ old, now, direction, at }: Pair): string[] {
  const [before, after] = [valuesOf(old), valuesOf(now)];
  const listed = (values: unknown[]) => values.map((value) => JSON.stringify(value)).join(', ');
  if (direction === 'input') {
    if (after === null) return [];
    if (before === null) return [`${at} must be one of ${listed(after)} now`];
    const removed = before.filter((value) => !after.includes(value));
    return removed.length === 0 ? [] : [`${at} may not be ${listed(removed)} any more`];
  }
  if (before === null) return [];
  if (after === null) return [`${at} has no fixed values any more`];
  // Readers ignore unknown values, unless there was always exactly one value.
  const isFixed = before.length === 1 && !isDeepStrictEqual(before, after);
  return isFixed ? [`${at} was always ${listed(before)}, and may be ${listed(after)} now`] : [];
}

const valuesOf = ({ const: only, enum: values }: JsonSchema): unknown[] | null =>
  only === undefined ? ((values as unknown[] | undefined) ?? null) : [only];

function boundBreaks({ old, now, direction, at }: Pair): string[] {
  return [...LOWER, ...UPPER].flatMap((keyword) => {
    const sign = LOWER.includes(keyword) ? 1 : -1;
    const boundOf = (schema: JsonSchema, ...keywords: (string | undefined)[]) =>
      Math.max(-Infinity, ...keywords.flatMap((name = '') => schema[name] ?? []).map((bound) => sign * Number(bound)));
    const change = `${keyword} ${shown(now[keyword])} instead of ${shown(old[keyword])}`;
    const [wide, narrow] = direction === 'input' ? [now, old] : [old, now];
    if (boundOf(wide, keyword) <= boundOf(narrow, keyword, IMPLIED_BY[keyword])) return [];
    return [`${at} has ${change}, which ${direction === 'input' ? 'accepts' : 'promises'} less`];
  });
}

function exactBreaks({ old, now, direction, at }: Pair): string[] {
  const changed = EXACT.filter((keyword) => {
    const mattering = direction === 'input' ? now[keyword] : old[keyword];
    return mattering !== undefined && old[keyword] !== now[keyword];
  });
  const meaning = old.default !== undefined && !isDeepStrictEqual(old.default, now.default) ? ['default'] : [];
  const strange = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (keyword) => !UNDERSTOOD.has(keyword) && !isDeepStrictEqual(old[keyword], now[keyword]),
  );
  return [...changed, ...meaning, ...strange].map(
    (keyword) => `${at} has ${keyword} ${shown(now[keyword])} instead of ${shown(old[keyword])}`,
  );
}

const shown = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));

function objectBreaks({ old, now, direction, at, inner }: Pair): string[] {
  const [before, after] = [propertiesOf(old), propertiesOf(now)];
  const [needed, needs] = [requiredIn(old), requiredIn(now)];
  const place = (name: string) => `${at}.${name}`;
  const fields = Object.entries(before).flatMap(([name, schema]) => {
    const counterpart = after[name];
    if (counterpart === undefined) return [`${place(name)} is gone`];
    const isLess =
      direction === 'output'
        ? needed.includes(name) && !needs.includes(name)
        : !needed.includes(name) && needs.includes(name);
    const presence = isLess ? [`${place(name)} ${direction === 'output' ? 'may be absent' : 'is required'} now`] : [];
    return [...presence, ...inner(schema, counterpart, place(name))];
  });
  const added = direction === 'input' ? needs.filter((name) => !(name in before)) : [];
  return [...fields, ...added.map((name) => `${place(name)} is new and required`)];
}

const propertiesOf = ({ properties }: JsonSchema) => (properties ?? {}) as Record<string, unknown>;
const requiredIn = ({ required }: JsonSchema) => (required ?? []) as string[];

/** Compares list elements, additional properties and content schemas of strings. */
function partBreaks({ old, now, direction, at, inner }: Pair): string[] {
  return Object.entries(INNER).flatMap(([keyword, shownAs]) => {
    const place = `${at}${shownAs}`;
    const [before, after] = [old[keyword] ?? true, now[keyword] ?? true];
    if (typeof before === 'object' && typeof after === 'object') return inner(before, after, place);
    // Rank: everything (true) is 2, a schema is 1, nothing (false) is 0.
    const [wide, narrow] = [before, after].map((part) => (typeof part === 'object' ? 1 : part === true ? 2 : 0)) as [
      number,
      number,
    ];
    if (direction === 'input') return narrow < wide ? [`${place} accepts less than before`] : [];
    return typeof before === 'object' && narrow > wide ? [`${place} may be anything now`] : [];
  });
}
