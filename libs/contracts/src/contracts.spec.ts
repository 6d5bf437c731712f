import { describe, expect, it } from '@jest/globals';
import {
  ActionsParameters,
  ActionsQuery,
  ERRORS,
  type ErrorCode,
  HeaderPatch,
  LinesPatch,
  ListParameters,
  ListQuery,
  PATTERNS,
  ProblemError,
  PurchaseOrderUpserted,
  STATUSES,
  TOPIC_MANIFEST,
  TransitionRequest,
  actionLabels,
  localeOf,
  problemDocument,
  statusOf,
  topicSettings,
} from './index.js';

const DAY = 86_400_000;

describe('requests', () => {
  it('normalize the factory like that of the source', () => {
    expect(HeaderPatch.parse({ vendor_reply_factory: 'a\u0300' })).toEqual({ vendor_reply_factory: 'à' });
  });

  it('treat absent fields as unchanged, and null and "" as cleared', () => {
    expect(HeaderPatch.parse({ vendor_reply_xfd: '', container_number: null, tracking_number: '  T1 ' })).toEqual({
      vendor_reply_xfd: null,
      container_number: null,
      tracking_number: 'T1',
    });
    expect(HeaderPatch.safeParse({}).success).toBe(false);
    expect(HeaderPatch.safeParse({ vendor_reply_xfdd: '2026-01-01' }).success).toBe(false);
  });

  it('reject a repeated row hash, an empty row and an empty list', () => {
    expect(
      LinesPatch.safeParse({
        lines: [
          { rowHash: 'a', vendorReplyQty: 1 },
          { rowHash: 'a', vendorReplyQty: 2 },
        ],
      }).success,
    ).toBe(false);
    expect(LinesPatch.safeParse({ lines: [{ rowHash: 'a' }] }).success).toBe(false);
    expect(LinesPatch.safeParse({ lines: [] }).success).toBe(false);
    expect(LinesPatch.safeParse({ lines: [{ rowHash: 'a', vendorReplyQty: 1.5 }] }).success).toBe(false);
    expect(LinesPatch.safeParse({ lines: [{ rowHash: 'a', vendorReplyQty: null }] }).success).toBe(true);
  });

  it('reject system actions, and treat a blank comment as none', () => {
    expect(TransitionRequest.safeParse({ action: 'IMPORT' }).success).toBe(false);
    expect(TransitionRequest.parse({ action: 'SUBMIT', comment: '  ' })).toEqual({ action: 'SUBMIT', comment: null });
  });

  it('check the length of a comment without surrounding white space', () => {
    const longest = '😀'.repeat(2000);
    expect(TransitionRequest.parse({ action: 'SUBMIT', comment: ` ${longest}\n` }).comment).toBe(longest);
    expect(TransitionRequest.safeParse({ action: 'SUBMIT', comment: `${longest}x` }).success).toBe(false);
  });

  it('clamp the page size, have a default, and reject anything but positive integers', () => {
    expect(ListParameters.parse({})).toEqual({ limit: 50, page: 1 });
    expect(ListParameters.parse({ search: ' PO 1\t', buyer: ' me ' })).toMatchObject({ search: 'PO 1', buyer: 'me' });
    expect(ListParameters.parse({ limit: '5000', status: 'New, 已发货' })).toMatchObject({
      limit: 200,
      status: ['New', '已发货'],
    });
    for (const limit of ['0', '-1', '1.5', 'x', '', ' 1'])
      expect(ListParameters.safeParse({ limit }).success).toBe(false);
  });

  it('accept up to 200 order numbers, case-insensitively and without duplicates', () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => `PO-${index}`);
    const { poRef } = ListParameters.parse({ poRef: ` po-0,, ${numbers(200).join(' , ')},PO-7` });
    expect(poRef).toEqual(numbers(200));
    expect(ListQuery.safeParse({ limit: 1, page: 1, poRef }).success).toBe(true);
    expect(ListParameters.safeParse({ poRef: numbers(201).join() }).success).toBe(false);
    expect(
      ListParameters.safeParse({
        poRef: numbers(200)
          .map((ref) => ref.padEnd(40, 'X'))
          .join(),
      }).success,
    ).toBe(true);
  });

  it('accept integers of any length, even beyond any page and status', () => {
    const long = '9'.repeat(400);
    const { limit, page } = ListParameters.parse({ limit: long, page: long });
    expect(limit).toBe(200);
    expect(ListQuery.safeParse({ limit, page }).success).toBe(true);
    const { statusId } = ActionsParameters.parse({ statusId: `-${long}`, role: 'VENDOR' });
    expect(ActionsQuery.safeParse({ statusId, role: 'VENDOR' }).success).toBe(true);
  });
});

describe('inventory messages', () => {
  const line = { lineId: '1', code: 'C', style: 'S', color: 'RED', size: 'M', qty: 1, unitPrice: 2 };
  const order = {
    poNumber: 'PO-1',
    sourceRevision: 1,
    poDate: '2026-01-01',
    xfd: '2026-03-01',
    vendor: { code: 'ACME', name: 'Acme' },
    currency: 'USD',
    lines: [line],
  };

  it('have their lengths checked after trimming and Unicode normalization', () => {
    const padded = (text: string) => text + ' '.repeat(200);
    const names = {
      lineId: padded('1'),
      code: padded('A'),
      style: 'e\u0301'.repeat(100),
      color: 'C',
      size: padded('S'),
    };
    const parsed = PurchaseOrderUpserted.parse({
      ...order,
      factory: padded('a\u0300'),
      vendor: { code: padded('V'), name: padded('N') },
      lines: [{ ...names, sku: padded('K'), qty: 1, unitPrice: 1 }],
    });
    expect(parsed).toMatchObject({ factory: 'à', vendor: { code: 'V', name: 'N' } });
    expect(parsed.lines[0]).toMatchObject({ lineId: '1', code: 'A', style: 'é'.repeat(100), size: 'S', sku: 'K' });
    expect(PurchaseOrderUpserted.safeParse({ ...order, factory: padded('F'.repeat(201)) }).success).toBe(false);
  });

  it('have null for missing optional fields, and ignore unknown fields', () => {
    expect(PurchaseOrderUpserted.parse({ ...order, extra: 1 })).toMatchObject({
      factory: null,
      buyer: { name: null, email: null },
      lines: [{ sku: null }],
    });
  });

  it('reject two rows with the same code, style, color and size, even after trimming and Unicode NFC', () => {
    const twin = { ...line, lineId: '2', color: ' RED ' };
    expect(PurchaseOrderUpserted.safeParse({ ...order, lines: [line, twin] }).success).toBe(false);
    const composed = { ...line, size: 'é' };
    const decomposed = { ...line, lineId: '2', size: 'e\u0301' };
    expect(PurchaseOrderUpserted.safeParse({ ...order, lines: [composed, decomposed] }).success).toBe(false);
  });
});

describe('the tables of the contract', () => {
  it('have every status, and every label in both languages', () => {
    expect(STATUSES.map(({ statusId }) => statusId)).toEqual([100, 150, 200, 300, 400, 500, 600, 900]);
    expect(statusOf(200)).toMatchObject({ status: 'Pending Approval', statusZh: '待审批', kpiKey: 'pending' });
    expect(() => statusOf(999)).toThrow(RangeError);
    const having = (name: 'isOpen' | 'acceptsReplies' | 'acceptsShipment' | 'followsSource' | 'isTerminal') =>
      STATUSES.filter((status) => status[name]).map(({ statusId }) => statusId);
    expect(having('isOpen')).toEqual([100, 150, 200, 300, 400]);
    expect(having('acceptsReplies')).toEqual([100, 150]);
    expect(having('acceptsShipment')).toEqual([300, 400, 500]);
    expect(having('followsSource')).toEqual([100, 150, 200, 300]);
    expect(having('isTerminal')).toEqual([600, 900]);
    expect(actionLabels('SOURCE_CANCEL')).toEqual({ label: 'Source Cancel', labelZh: '源单取消' });
    expect(actionLabels('constructor')).toEqual({ label: 'constructor', labelZh: 'constructor' });
  });

  it('assign every pattern to an existing topic and a unique type', () => {
    const topics = new Set(TOPIC_MANIFEST.map(({ topic }) => topic));
    const patterns = Object.values(PATTERNS);
    expect(patterns.filter(({ topic }) => !topics.has(topic))).toEqual([]);
    expect(new Set(patterns.map(({ type }) => type)).size).toBe(patterns.length);
  });

  const configured = TOPIC_MANIFEST.map((topic) => ({ ...topic, settings: topicSettings({ ...topic, minInsync: 2 }) }));

  it.each(configured)(
    'limit records on $topic by size and require enough replicas',
    ({ maxMessageBytes, settings }) => {
      const sizes = { 'max.message.bytes': String(maxMessageBytes), 'min.insync.replicas': '2' };
      expect(settings).toMatchObject(sizes);
      expect(Number(settings['segment.bytes'] ?? Infinity)).toBeGreaterThan(maxMessageBytes);
    },
  );

  it.each(configured.filter(({ retention }) => retention !== 'compact'))(
    'delete old records on $topic even while new ones arrive',
    ({ retention, settings }) => {
      expect(settings).toMatchObject({ 'cleanup.policy': 'delete', 'retention.ms': String(retention) });
      expect(Number(settings['segment.ms'])).toBe(Math.min(Number(retention) / 4, DAY));
    },
  );

  it.each(configured.filter(({ ephemeral }) => ephemeral))(
    'delete the oldest records on $topic when its partitions exceed a size',
    ({ settings }) => {
      expect(Number(settings['retention.bytes'])).toBe(2 ** 30);
      expect(Number(settings['segment.bytes'])).toBeLessThan(2 ** 30);
    },
  );

  it.each(configured.filter(({ retention }) => retention === 'compact'))(
    'delete overwritten records on $topic',
    ({ settings }) =>
      expect(settings).toMatchObject({ 'cleanup.policy': 'compact', 'max.compaction.lag.ms': String(DAY) }),
  );

  it.each(Object.keys(ERRORS) as ErrorCode[])('render %s in both languages without exposing hidden values', (code) => {
    const lists = { fields: ['A', 'B'], allowedActions: ['A', 'B'] };
    const hidden = { currentStatusZh: '新订单', allow: 'GET, PUT', accepted: 'text/csv, text/plain' };
    const problem = new ProblemError(code, { currentStatus: 'New', ...lists }, { hidden });
    const context = { instance: '/api/x', requestId: 'r' };
    const [en, zh] = (['en', 'zh'] as const).map((locale) => problemDocument(problem, { ...context, locale }));
    expect(en).toMatchObject({ code, status: ERRORS[code].status, success: false, requestId: 'r', instance: '/api/x' });
    expect(en?.type).toBe(`/problems/${code.toLowerCase().replaceAll('_', '-')}`);
    expect(en?.message).toBe(en?.detail);
    expect(zh?.detail).not.toBe(en?.detail);
    expect(zh?.detail).not.toContain(', ');
    expect(zh?.title).toMatch(/[\u4e00-\u9fff]/);
    expect(en).not.toHaveProperty('currentStatusZh');
  });

  it.each([
    ['en', 'is no row'],
    ['zh', '不是行'],
  ] as const)('render the field errors of a problem in %s', (locale, message) => {
    const where = { in: 'body', pointer: '/lines/0/rowHash', code: 'ROW_NOT_FOUND' } as const;
    const errors = [{ ...where, message: { en: 'is no row', zh: '不是行' } }];
    const problem = new ProblemError('ROW_NOT_FOUND', {}, { errors });
    expect(problemDocument(problem, { locale, instance: '/api/x', requestId: 'r' }).errors).toEqual([
      { ...where, message },
    ]);
  });
});

describe('localeOf', () => {
  it.each([
    [undefined, 'en'],
    ['zh', 'zh'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en-US,en;q=0.9,zh;q=0.8', 'en'],
    ['fr,zh;q=0.3', 'zh'],
    ['en;q=0.2, zh;q=0.7', 'zh'],
    ['zh;q=0', 'en'],
    ['*', 'en'],
    ['@@@', 'en'],
  ])('reads %j as %s', (header, locale) => {
    expect(localeOf(header)).toBe(locale);
  });
});
