import { z } from 'zod';
import { type FieldError, ProblemError } from './errors.js';
import type { Locale } from './identity.js';
import { nearest } from './nearest.js';

/** What is wrong with one value, in both languages. */
type Finding = { code: string } & Record<Locale, string>;

const MAX_FIELD_ERRORS = 100;
const MAX_POINTER_STEP = 100;

/** Sentences that the schemas write themselves, with their code and their Chinese. */
const AUTHORED: Record<string, [code: string, zh: string]> = {
  'must be a real calendar date written YYYY-MM-DD': ['INVALID_DATE', '必须是真实存在的日期，格式为 YYYY-MM-DD'],
  'must have at most 4 decimals': ['TOO_MANY_DECIMALS', '最多 4 位小数'],
  'must not contain NUL or lone surrogates': ['INVALID_TEXT', '不能包含 NUL 或单独的代理字符'],
  'must not repeat a rowHash of this request': ['DUPLICATE', '同一请求中 rowHash 不能重复'],
  'must set vendorReplyQty or vendorReplyUnitPrice': ['EMPTY_PATCH', '必须填写 vendorReplyQty 或 vendorReplyUnitPrice'],
  'must set at least one of vendor_reply_xfd, vendor_reply_factory, vendor_reply_comment, container_number, tracking_number':
    [
      'EMPTY_PATCH',
      '至少填写一项：vendor_reply_xfd、vendor_reply_factory、vendor_reply_comment、container_number、tracking_number',
    ],
  'must be an integer of at least 1': ['INVALID_INTEGER', '必须是不小于 1 的整数'],
  'must be an integer': ['INVALID_INTEGER', '必须是整数'],
  'must be lineItems': ['NOT_ALLOWED', '必须是 lineItems'],
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
 * sentence in the caller's language.
 */
export function validated<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: { in: FieldError['in']; locale: Locale },
): z.output<S> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalid(fieldErrors(parsed.error, schema, where));
}

/** The refusal that carries these entries. */
export function invalid(errors: FieldError[]): ProblemError {
  return new ProblemError('VALIDATION_FAILED', {}, { errors });
}

/** The issues of a parse with `reportInput` as entries of `errors[]`, at most 100. */
export function fieldErrors(
  error: z.ZodError,
  schema: z.ZodType,
  { in: place, locale }: { in: FieldError['in']; locale: Locale },
): FieldError[] {
  const errors: FieldError[] = [];
  for (const issue of error.issues) {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [null];
    for (const key of unknown) {
      if (errors.length === MAX_FIELD_ERRORS) return errors;
      const finding = key === null ? findingOf(issue) : unknownField(key, keysAt(schema, issue.path));
      const path = key === null ? issue.path : [...issue.path, key];
      errors.push({ in: place, pointer: pointerOf(path), code: finding.code, message: finding[locale] });
    }
  }
  return errors;
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
      if (issue.params?.code === 'TOO_LONG') {
        return { code: 'TOO_LONG', en: issue.message, zh: `最多 ${String(issue.params.max)} 个字符` };
      }
      return authored(issue.message);
    case 'invalid_format':
      return authored(issue.message);
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return authored('');
    default:
      return issue satisfies never;
  }
}

function authored(message: string): Finding {
  const [code, zh] = AUTHORED[message] ?? ['INVALID_FORMAT', '格式不符合约定'];
  return { code, en: message in AUTHORED ? message : 'does not have the documented format', zh };
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
