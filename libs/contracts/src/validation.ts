import { z } from 'zod';
import { type FieldError, type FieldRefusal, MAX_FIELD_ERRORS, ProblemError } from './errors.js';
import { nearest } from './nearest.js';
import { type Finding, saidBy } from './says.js';

const MAX_POINTER_STEP = 100;

const OF_ANOTHER_FORMAT: Finding = {
  code: 'INVALID_FORMAT',
  en: 'does not have the documented format',
  zh: '格式不符合约定',
};

const TYPES: Record<string, [en: string, zh: string]> = {
  string: ['a string', '字符串'],
  number: ['a number', '数字'],
  int: ['an integer', '整数'],
  boolean: ['true or false', 'true 或 false'],
  array: ['an array', '数组'],
  object: ['an object', '对象'],
};

/**
 * Parses a value of a request. Throws VALIDATION_FAILED with one entry a bad field, at most 100, each with its pointer, code and
 * sentence.
 */
export function validated<S extends z.ZodType>(schema: S, value: unknown, place: FieldError['in']): z.output<S> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalid(fieldRefusals(parsed.error, schema, place));
}

/** The refusal that carries these entries. */
export function invalid(errors: FieldRefusal[]): ProblemError {
  return new ProblemError('VALIDATION_FAILED', {}, { errors });
}

function fieldRefusals(error: z.ZodError, schema: z.ZodType, place: FieldError['in']): FieldRefusal[] {
  const refusals: FieldRefusal[] = [];
  for (const issue of error.issues) {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [null];
    for (const key of unknown) {
      if (refusals.length === MAX_FIELD_ERRORS) return refusals;
      const { code, en, zh } = key === null ? findingOf(issue) : unknownField(key, keysAt(schema, issue.path));
      const path = key === null ? issue.path : [...issue.path, key];
      refusals.push({ in: place, pointer: pointerOf(path), code, message: { en, zh } });
    }
  }
  return refusals;
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
      return size(issue.origin, 'TOO_LARGE', 'at most', '不超过', issue.maximum, issue.inclusive !== false);
    case 'too_small':
      return size(issue.origin, 'TOO_SMALL', 'at least', '不小于', issue.minimum, issue.inclusive !== false);
    case 'custom':
      return saidBy(issue) ?? OF_ANOTHER_FORMAT;
    case 'invalid_format':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return OF_ANOTHER_FORMAT;
    default:
      return issue satisfies never;
  }
}

function size(
  origin: string,
  code: 'TOO_LARGE' | 'TOO_SMALL',
  en: string,
  zh: string,
  bound: number | bigint,
  inclusive: boolean,
): Finding {
  const limit = String(bound);
  if (origin === 'array') return { code, en: `must have ${en} ${limit} elements`, zh: `元素个数${zh} ${limit}` };
  if (origin === 'string') {
    const length = code === 'TOO_LARGE' ? 'TOO_LONG' : 'TOO_SHORT';
    return { code: length, en: `must have ${en} ${limit} characters`, zh: `字符数${zh} ${limit}` };
  }
  if (inclusive) return { code, en: `must be ${en} ${limit}`, zh: `${zh} ${limit}` };
  return code === 'TOO_LARGE'
    ? { code, en: `must be below ${limit}`, zh: `必须小于 ${limit}` }
    : { code, en: `must be above ${limit}`, zh: `必须大于 ${limit}` };
}

function notAllowed(values: string[], input: unknown): Finding {
  const meant = typeof input === 'string' ? nearest(input, values) : null;
  return {
    code: 'NOT_ALLOWED',
    en: `must be one of ${values.join(', ')}${meant === null ? '' : `; did you mean ${meant}?`}`,
    zh: `必须是以下之一：${values.join('、')}${meant === null ? '' : `；您是否想输入 ${meant}？`}`,
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

/** RFC 6901. A step as long as the body itself would send the body back a hundred times: it is cut. */
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
