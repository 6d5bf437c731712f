import { z } from 'zod';
import { type FieldRefusal, MAX_FIELD_ERRORS, ProblemError } from './errors.js';
import { nearest } from './nearest.js';
import { type Finding, localizedMessageOf } from './localized-message.js';

const MAX_POINTER_STEP = 100;

const WRONG_FORMAT: Finding = {
  code: 'INVALID_FORMAT',
  en: 'does not have the documented format',
  zh: '格式不符合约定',
};

const TYPES: Record<string, [en: string, zh: string]> = {
  string: ['a string', '字符串'],
  number: ['a number', '数字'],
  int: ['an integer', '整数'],
  // The space separates Chinese characters from Latin letters.
  boolean: ['true or false', ' true 或 false'],
  array: ['an array', '数组'],
  object: ['an object', '对象'],
};

/**
 * Parses a value of a request. Throws VALIDATION_FAILED with one entry per invalid field, at most 100, each with its pointer, code and
 * message.
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown, location: FieldRefusal['in']): z.output<S> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalid(fieldRefusals(parsed.error, schema, location));
}

/** A VALIDATION_FAILED problem with these errors. */
export function invalid(errors: FieldRefusal[]): ProblemError {
  return new ProblemError('VALIDATION_FAILED', {}, { errors });
}

function fieldRefusals(error: z.ZodError, schema: z.ZodType, location: FieldRefusal['in']): FieldRefusal[] {
  const refusals: FieldRefusal[] = [];
  for (const [index, issue] of error.issues.entries()) {
    if (isRedundant(issue, error.issues[index - 1], error.issues[index + 1])) continue;
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [null];
    for (const key of unknown) {
      if (refusals.length === MAX_FIELD_ERRORS) return refusals;
      const { code, en, zh } = key === null ? findingOf(issue) : unknownField(key, keysAt(schema, issue.path));
      const path = key === null ? issue.path : [...issue.path, key];
      refusals.push({ in: location, pointer: pointerOf(path), code, message: { en, zh } });
    }
  }
  return refusals;
}

/**
 * True for an issue that the previous or next issue explains better: a value of another type is also measured, and an integer has the bound
 * of all integers in addition to its own.
 */
function isRedundant(issue: z.core.$ZodIssue, before?: z.core.$ZodIssue, after?: z.core.$ZodIssue): boolean {
  const isOfSame = (other?: z.core.$ZodIssue) => other?.path.join('/') === issue.path.join('/');
  if (before?.code === 'invalid_type' && isOfSame(before)) return true;
  const bound = issue.code === 'too_big' ? issue.maximum : issue.code === 'too_small' ? issue.minimum : 0;
  return Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER && issue.code === after?.code && isOfSame(after);
}

function findingOf(issue: z.core.$ZodIssue): Finding {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return { code: 'REQUIRED', en: 'is required', zh: '必填' };
  }
  switch (issue.code) {
    case 'invalid_type': {
      const [en, zh] = TYPES[issue.expected] ?? [issue.expected, issue.expected];
      return { code: 'INVALID_TYPE', en: `must be ${en}`, zh: `必须是${zh}` };
    }
    case 'invalid_value':
      return notAllowed(issue.values.map(String), issue.input);
    case 'too_big':
      return size(issue.origin, 'TOO_LARGE', issue.maximum, issue.inclusive !== false);
    case 'too_small':
      return size(issue.origin, 'TOO_SMALL', issue.minimum, issue.inclusive !== false);
    case 'custom':
      return localizedMessageOf(issue) ?? WRONG_FORMAT;
    case 'invalid_format':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return WRONG_FORMAT;
    default:
      return issue satisfies never;
  }
}

function size(origin: string, code: 'TOO_LARGE' | 'TOO_SMALL', bound: number | bigint, inclusive: boolean): Finding {
  const limit = String(bound);
  const isLimit = code === 'TOO_LARGE';
  const [atMost, zhAtMost] = isLimit ? ['at most', '最多'] : ['at least', '至少'];
  if (origin === 'array') {
    const elements = limit === '1' ? 'element' : 'elements';
    return { code, en: `must have ${atMost} ${limit} ${elements}`, zh: `${zhAtMost} ${limit} 个元素` };
  }
  if (origin === 'string') {
    if (!isLimit && limit === '1') return { code: 'TOO_SHORT', en: 'must not be empty', zh: '不能为空' };
    const length = isLimit ? 'TOO_LONG' : 'TOO_SHORT';
    return { code: length, en: `must have ${atMost} ${limit} characters`, zh: `${zhAtMost} ${limit} 个字符` };
  }
  if (inclusive) return { code, en: `must be ${atMost} ${limit}`, zh: `不能${isLimit ? '大' : '小'}于 ${limit}` };
  return isLimit
    ? { code, en: `must be below ${limit}`, zh: `必须小于 ${limit}` }
    : { code, en: `must be above ${limit}`, zh: `必须大于 ${limit}` };
}

function notAllowed(values: string[], input: unknown): Finding {
  const meant = typeof input === 'string' ? nearest(input, values) : null;
  const [en, zh] =
    values.length > 2
      ? [`must be one of ${values.join(', ')}`, `必须是以下之一：${values.join('、')}`]
      : [`must be ${values.join(' or ')}`, `必须是 ${values.join(' 或 ')}`];
  return {
    code: 'NOT_ALLOWED',
    en: meant === null ? en : `${en}; did you mean ${meant}?`,
    zh: meant === null ? zh : `${zh}；您是否想输入 ${meant}？`,
  };
}

function unknownField(key: string, known: string[]): Finding {
  const meant = nearest(key, known);
  return {
    code: 'UNKNOWN_FIELD',
    en: meant === null ? `unknown field; allowed are ${known.join(', ')}` : `unknown field; did you mean ${meant}?`,
    zh: meant === null ? `未知字段；允许的字段：${known.join('、')}` : `未知字段；您是否想输入 ${meant}？`,
  };
}

/** JSON pointer (RFC 6901). Shortens steps, because a step as long as the body would return the body a hundred times. */
function pointerOf(path: readonly PropertyKey[]): string {
  return path
    .map((step) => `/${String(step).slice(0, MAX_POINTER_STEP).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const step of path) {
    at = unwrapped(at);
    if (at instanceof z.ZodObject) at = at.shape[String(step)];
    else if (at instanceof z.ZodArray) at = at.element;
    else return [];
  }
  at = unwrapped(at);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function unwrapped(schema: unknown): unknown {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap();
  }
  return inner;
}
