import { isDeepStrictEqual } from 'node:util';
import type { Direction, JsonSchema } from '../json-schema.js';
import { type Located, NOTES, alternativesOf, flat, tagOf } from './flat-schema.js';

/** Two flat schemas, where they stand for people, and how what is inside is compared. */
interface Pair {
  old: JsonSchema;
  now: JsonSchema;
  direction: Direction;
  at: string;
  inner: (old: unknown, now: unknown, at: string) => string[];
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** What is above a number is not below it either. */
const IMPLIED_BY: Record<string, string> = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' };
const EXACT = ['format', 'pattern', 'multipleOf', 'uniqueItems', 'contentEncoding', 'contentMediaType'];
/** Schemas of what is inside and has no name, and how people find it. */
const INNER: Record<string, string> = { items: '[]', additionalProperties: '.*', contentSchema: ' (content)' };
const PARTS = ['type', 'const', 'enum', 'default', 'properties', 'required', ...Object.keys(INNER)];
const UNDERSTOOD = new Set([...LOWER, ...UPPER, ...EXACT, ...PARTS, ...NOTES]);

/**
 * What breaks for those who rely on the older of two schemas, each as a sentence that begins with its place. What is given may gain
 * fields and values, and may be narrower; what is taken may be relaxed.
 */
export function schemaBreaks(
  before: Located,
  after: Located,
  direction: Direction,
  at: string,
  above: readonly string[] = [],
): string[] {
  const pair = `${String(before.schema.$ref)} ${String(after.schema.$ref)}`;
  if (before.schema.$ref !== undefined && above.includes(pair)) return [];
  const inner: Pair['inner'] = (old, now, place) =>
    schemaBreaks(
      { schema: old as JsonSchema, root: before.root },
      { schema: now as JsonSchema, root: after.root },
      direction,
      place,
      [...above, pair],
    );
  const [old, now] = [flat(before), flat(after)];
  const [olds, nows] = alternativesOf({ ...before, schema: old }, { ...after, schema: now });
  if (olds.length > 1 || nows.length > 1) return choiceBreaks(olds, nows, { direction, at, inner });
  const compared = { old, now, direction, at, inner };
  return [typeBreaks, valueBreaks, boundBreaks, exactBreaks, objectBreaks, partBreaks].flatMap((breaksOf) =>
    breaksOf(compared),
  );
}

/** Each alternative that matters has a counterpart: by its tag, else any that it fits. */
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
      return counterpart ? inner(schema, counterpart.schema, `${at} (${tag})`) : [`${at} is never ${tag} any more`];
    });
  }
  const [mattering, others] = direction === 'given' ? [nows, olds] : [olds, nows];
  return mattering.flatMap(({ schema: one }) => {
    const tried = others.map(({ schema: other }) =>
      direction === 'given' ? inner(other, one, at) : inner(one, other, at),
    );
    return tried.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
}

function typeBreaks({ old, now, direction, at }: Pair): string[] {
  const [before, after] = [typesOf(old), typesOf(now)];
  const [wide, narrow] = direction === 'given' ? [before, after] : [after, before];
  if (wide === null) return [];
  const misfits = (narrow ?? ['anything']).filter(
    (type) => !wide.includes(type) && !(type === 'integer' && wide.includes('number')),
  );
  return misfits.map((type) =>
    direction === 'given' ? `${at} may be ${type} now` : `${at} may not be ${type} any more`,
  );
}

function typesOf({ type, const: only, enum: values }: JsonSchema): string[] | null {
  if (type !== undefined) return [type].flat() as string[];
  const known = only === undefined ? values : [only];
  return Array.isArray(known) ? [...new Set(known.map((value) => (value === null ? 'null' : typeof value)))] : null;
}

function valueBreaks({ old, now, direction, at }: Pair): string[] {
  const [before, after] = [valuesOf(old), valuesOf(now)];
  const said = (values: unknown[]) => values.map((value) => JSON.stringify(value)).join(', ');
  if (direction === 'taken') {
    if (after === null) return [];
    if (before === null) return [`${at} must be one of ${said(after)} now`];
    const gone = before.filter((value) => !after.includes(value));
    return gone.length === 0 ? [] : [`${at} may not be ${said(gone)} any more`];
  }
  if (before === null) return [];
  if (after === null) return [`${at} has no fixed values any more`];
  // A reader passes over a value that it does not know, but not where there was never more than one.
  const isFixed = before.length === 1 && !isDeepStrictEqual(before, after);
  return isFixed ? [`${at} was always ${said(before)}, and may be ${said(after)} now`] : [];
}

const valuesOf = ({ const: only, enum: values }: JsonSchema): unknown[] | null =>
  only === undefined ? ((values as unknown[] | undefined) ?? null) : [only];

function boundBreaks({ old, now, direction, at }: Pair): string[] {
  return [...LOWER, ...UPPER].flatMap((keyword) => {
    const sign = LOWER.includes(keyword) ? 1 : -1;
    const boundOf = (schema: JsonSchema, ...keywords: (string | undefined)[]) =>
      Math.max(-Infinity, ...keywords.flatMap((name = '') => schema[name] ?? []).map((bound) => sign * Number(bound)));
    const said = `${keyword} ${shown(now[keyword])} instead of ${shown(old[keyword])}`;
    const [wide, narrow] = direction === 'taken' ? [now, old] : [old, now];
    if (boundOf(wide, keyword) <= boundOf(narrow, keyword, IMPLIED_BY[keyword])) return [];
    return [`${at} has ${said}, which ${direction === 'taken' ? 'takes' : 'promises'} less`];
  });
}

function exactBreaks({ old, now, direction, at }: Pair): string[] {
  const changed = EXACT.filter((keyword) => {
    const mattering = direction === 'taken' ? now[keyword] : old[keyword];
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
      direction === 'given'
        ? needed.includes(name) && !needs.includes(name)
        : !needed.includes(name) && needs.includes(name);
    const presence = isLess ? [`${place(name)} ${direction === 'given' ? 'may be absent' : 'is required'} now`] : [];
    return [...presence, ...inner(schema, counterpart, place(name))];
  });
  const added = direction === 'taken' ? needs.filter((name) => !(name in before)) : [];
  return [...fields, ...added.map((name) => `${place(name)} is new and required`)];
}

const propertiesOf = ({ properties }: JsonSchema) => (properties ?? {}) as Record<string, unknown>;
const requiredIn = ({ required }: JsonSchema) => (required ?? []) as string[];

/** Elements of lists, fields that have no name in the schema, and what is written in a text. */
function partBreaks({ old, now, direction, at, inner }: Pair): string[] {
  return Object.entries(INNER).flatMap(([keyword, shownAs]) => {
    const place = `${at}${shownAs}`;
    const [before, after] = [old[keyword] ?? true, now[keyword] ?? true];
    if (typeof before === 'object' && typeof after === 'object') return inner(before, after, place);
    // From everything (true) over some (a schema) to nothing (false).
    const [wide, narrow] = [before, after].map((part) => (typeof part === 'object' ? 1 : part === true ? 2 : 0)) as [
      number,
      number,
    ];
    if (direction === 'taken') return narrow < wide ? [`${place} takes less than before`] : [];
    return typeof before === 'object' && narrow > wide ? [`${place} may be anything now`] : [];
  });
}
