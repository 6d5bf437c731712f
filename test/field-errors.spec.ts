import { describe, expect, it } from '@jest/globals';
import * as contracts from '@po/contracts';
import { type FieldError, ProblemError, problemDocument, validate } from '@po/contracts';
import { z } from 'zod';
import { OPERATIONS } from '../services/gateway/src/routes/operations.js';
import { schemasIn } from './support/schemas.js';

type Place = 'query' | 'body';
type Input = [id: string, place: Place, schema: z.ZodType];

/** Inputs whose errors are reported field by field. */
const INPUTS: Input[] = Object.entries(OPERATIONS).flatMap(([id, { query, body }]): Input[] => [
  [id, 'query', query],
  ...(body instanceof z.ZodType ? ([[id, 'body', body]] as Input[]) : []),
]);
const CHINESE = /[\u4e00-\u9fff]/;
const WITHOUT_SPACE = /[\u4e00-\u9fff]\w|\w[\u4e00-\u9fff]/;

/** Field errors of a value, each in both languages. */
function refusalsOf(schema: z.ZodType, value: unknown, place: Place): { en: FieldError; zh: FieldError }[] {
  try {
    validate(schema, value, place);
    return [];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const [english, chinese] = (['en', 'zh'] as const).map(
      (locale) => problemDocument(error, { locale, instance: '/', requestId: 'r' }).errors ?? [],
    ) as [FieldError[], FieldError[]];
    return english.map((en, index) => ({ en, zh: chinese[index] as FieldError }));
  }
}

/** Paths to every part of a value of the schema: property names, and 0 for an array element. */
function placesIn(schema: z.ZodType, path: (string | 0)[] = []): (string | 0)[][] {
  let inner: unknown = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap();
  }
  const parts: [string | 0, unknown][] =
    inner instanceof z.ZodObject
      ? Object.entries(inner.shape)
      : inner instanceof z.ZodArray
        ? [[0, inner.element]]
        : [];
  return [path, ...parts.flatMap(([name, part]) => placesIn(part as z.ZodType, [...path, name]))];
}

const put = (path: (string | 0)[], value: unknown): unknown =>
  path.toReversed().reduce((inner, step) => (step === 0 ? [inner] : { [step]: inner }), value);

const TEXTS = ['', 'yes', 'INVALID', '0', '1.5', '-1', '2027-02-30', 'a\u0000', '\ud800', 'x'.repeat(3_000)];
const VALUES = [undefined, null, true, -1, 0, 1.5, 1.23456, 1e21, -1e21, [], {}, [null], { more: 1 }, ...TEXTS];

const REFUSALS = INPUTS.flatMap(([id, place, schema]) =>
  placesIn(schema).flatMap((path) => {
    const values = place === 'body' ? VALUES : path.length === 0 ? [{}] : [undefined, ...TEXTS];
    return values.flatMap((value) =>
      refusalsOf(schema, put(path, value), place).map((refusal) => ({ id, path, value, ...refusal })),
    );
  }),
);

const row = { rowHash: 'r', vendorReplyQty: 1 };
const limit = { currency: 'USD', amount: 1 };
const item = { poRef: 'PO-1', action: 'SUBMIT' };
/** Errors that need several values or a misspelled name. */
const OTHERS: [schema: z.ZodType, value: unknown][] = [
  [contracts.HeaderPatch, { vendor_reply_xdf: '2027-01-01' }],
  [contracts.TransitionRequest, { action: 'SUBMITT' }],
  [contracts.LinesPatch, { lines: [row, row] }],
  [contracts.LinesPatch, { lines: Array.from({ length: 1_001 }, () => row) }],
  [contracts.TransitionsRequest, { items: [item, item] }],
  [contracts.ApprovalPolicyRequest.pick({ maxAmount: true }), { maxAmount: [limit, limit] }],
];

/** API names and values and proper names, which are the same in every language. */
const NAMES = new Set(
  INPUTS.flatMap(([, , schema]) => [...schemasIn(schema)])
    .flatMap((schema) =>
      schema instanceof z.ZodObject ? Object.keys(schema.shape) : schema instanceof z.ZodEnum ? schema.options : [],
    )
    .map(String)
    .concat('lineItems', contracts.REMINDER_RULES, 'IANA', 'Asia', 'Shanghai', 'ISO', 'UUID'),
);
/** The message with placeholders for these names and for numbers. */
const sentence = (message: string): string =>
  message
    .replaceAll(/[A-Za-z_]{2,}/g, (word) => (NAMES.has(word) ? '…' : word))
    .replaceAll(/\d+(\.\d+)?/g, '#')
    .replaceAll(/…(([,、] ?| or | 或 )…)+/g, '…');

describe('the error of a field', () => {
  it('is produced for many operations', () => {
    expect(INPUTS.length).toBeGreaterThan(15);
    expect(new Set(REFUSALS.map(({ id }) => id)).size).toBeGreaterThan(7);
  });

  it('is one of these sentences, in English and in Chinese', () => {
    const others = OTHERS.flatMap(([schema, value]) => refusalsOf(schema, value, 'body'));
    const sentences = [...REFUSALS, ...others].map(({ en, zh }) => [sentence(en.message), sentence(zh.message)]);
    expect(Object.fromEntries(sentences)).toEqual({
      'is required': '必填',
      'must be # to # PO numbers, separated by commas': '必须是 # 到 # 个订单号，用英文逗号分隔',
      'must be a number': '必须是数字',
      'must be a real calendar date written YYYY-MM-DD': '必须是真实存在的日期，格式为 YYYY-MM-DD',
      'must be a string': '必须是字符串',
      'must be a time from #:# to #:#': '必须是 #:# 到 #:# 之间的时间',
      'must be above #': '必须大于 #',
      'must be a …': '必须是 …',
      'must be an … # code of three capital letters': '必须是 … # 货币代码，由三个大写字母组成',
      'must be an … time zone such as …/…': '必须是 … 时区名称，例如 …/…',
      'must be an array': '必须是数组',
      'must be an integer': '必须是整数',
      'must be an integer of at least #': '必须是不小于 # 的整数',
      'must be an object': '必须是对象',
      'must be at least #': '不能小于 #',
      'must be at most #': '不能大于 #',
      'must be the … of a message': '必须是消息的 …',
      'must be one or more of …, separated by commas': '必须是 … 中的一项或多项，用英文逗号分隔',
      'must be one of …': '必须是以下之一：…',
      'must be one of …; did you mean …?': '必须是以下之一：…；您是否想输入 …？',
      'must be …': '必须是 …',
      'must have at least # element': '至少 # 个元素',
      'must have at most # characters': '最多 # 个字符',
      'must have at most # decimals': '最多 # 位小数',
      'must have at most # elements': '最多 # 个元素',
      'must not be empty': '不能为空',
      'must not contain NUL or lone surrogates': '不能包含 NUL 或单独的代理字符',
      'must not repeat a … of this request': '同一请求中 … 不能重复',
      'must not repeat a …': '币种不能重复',
      'must set at least one of …': '至少填写一项：…',
      'must set …': '必须填写 …',
      'unknown field; allowed are …': '未知字段；允许的字段：…',
      'unknown field; did you mean …?': '未知字段；您是否想输入 …？',
    });
  });

  it('states what is allowed, and is never a mere INVALID_FORMAT', () => {
    expect(REFUSALS.filter(({ en }) => en.code === 'INVALID_FORMAT')).toEqual([]);
  });

  it('has no English words in Chinese and no Chinese characters in English', () => {
    const wrong = REFUSALS.filter(({ en, zh }) => {
      const words = sentence(zh.message).match(/[A-Za-z]{2,}/g) ?? [];
      const isChinese = words.every((word) => ['NUL', 'YYYY', 'MM', 'DD'].includes(word));
      return CHINESE.test(en.message) || !CHINESE.test(zh.message) || !isChinese;
    });
    expect(wrong).toEqual([]);
  });

  it('has a space between Chinese characters and Latin letters or digits', () => {
    expect(REFUSALS.map(({ zh }) => zh.message).filter((message) => WITHOUT_SPACE.test(message))).toEqual([]);
  });

  it('is reported only once for a value of the wrong type or beyond every bound', () => {
    const places = [...Map.groupBy(REFUSALS, ({ path }) => path).values()];
    const twice = places.flatMap((refusals) =>
      refusals.filter(({ en, value }) =>
        refusals.some(
          (other) =>
            other.en !== en &&
            other.value === value &&
            other.en.pointer === en.pointer &&
            (other.en.code === en.code || other.en.code === 'INVALID_TYPE'),
        ),
      ),
    );
    expect(twice).toEqual([]);
  });
});

describe('the schemas of the contracts', () => {
  it('have a code and a Chinese text for every custom error', () => {
    const schemas = new Set(
      Object.values(contracts).flatMap((one) => (one instanceof z.ZodType ? [...schemasIn(one)] : [])),
    );
    const parts = [...schemas].flatMap(({ _zod: { def } }) => [
      def,
      ...(def.checks ?? []).map((check) => check._zod.def),
    ]);
    const findings = parts.filter(({ error }) => error !== undefined) as { params?: { code?: string; zh?: string } }[];
    expect(findings.length).toBeGreaterThan(5);
    expect(findings.filter(({ params }) => !params?.code || !CHINESE.test(params.zh ?? ''))).toEqual([]);
  });
});
