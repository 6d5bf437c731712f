import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HEADERS, PATTERNS, ProblemError, TOPICS, TOPIC_MANIFEST } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import { type IncomingRecord, RecordTooLargeError } from '../kafka-port.js';
import { type TestApplication, handled, startApplication } from '../fixtures/application.js';
import { LONG_DEADLINES } from '../fixtures/expire-deadline.js';
import { ok } from './reply.js';
import { encodeReply, decodeReply } from './reply-encoding.js';
import { envelopeOf } from './rpc-headers.js';

const MIB = 1024 * 1024;

describe('a reply', () => {
  let app: TestApplication;
  afterEach(() => app.close());

  const detail = () => app.client.request(PATTERNS.detail, { poRef: 'PO-1', includeLineItems: false }, app.request);
  const transition = () =>
    app.client.request(
      PATTERNS.transition,
      { poRef: 'PO-1', request: { action: 'SUBMIT' } },
      { ...app.request, key: 'PO-1', idempotencyKey: 'mine' },
    );
  const replies = () => app.kafka.records(TOPICS.replies).filter(({ headers }) => headers[HEADERS.httpStatus]);
  /** The manifest with a limit of 100 KiB for the reply topic. */
  const narrow = TOPIC_MANIFEST.map((topic) =>
    topic.topic === TOPICS.replies ? { ...topic, maxMessageBytes: 100 * 1024 } : topic,
  );

  it('arrives unchanged although it is larger than its topic allows', async () => {
    app = await startApplication({ topics: narrow });
    handled.filling = '订单 '.repeat(200_000);
    const { status, headers, body } = await detail();
    expect({ status, headers }).toEqual({ status: 200, headers: { etag: '"7"' } });
    expect(body.length).toBeGreaterThan(MIB);
    expect(String(body) === JSON.stringify({ poRef: 'PO-1', by: 'u-acme', filling: handled.filling })).toBe(true);
    // A slow machine may resend the request.
    expect(new Set(replies().map((reply) => reply.headers[HEADERS.contentEncoding]))).toEqual(new Set(['gzip']));
  });

  it('keeps its memory until it is sent or fails, and then the next reply gets the memory', async () => {
    app = await startApplication();
    handled.reserved = 1_000 * MIB;
    handled.failures.set('PO-1', [new Error('the store is away'), new ProblemError('PO_NOT_FOUND')]);
    const answers = await Promise.all([detail(), detail()]);
    answers.push(await detail());
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  });

  it('frees its memory if a defect prevents any answer', async () => {
    app = await startApplication();
    handled.reserved = 1_000 * MIB;
    const unknown = Object.assign(new ProblemError('PO_NOT_FOUND'), { code: 'NO_SUCH_CODE' });
    handled.failures.set('PO-1', [unknown]);
    const unanswered = detail().catch(() => null);
    await eventually('it is being made', () => handled.requests.length === 1);
    expect((await detail()).status).toBe(200);
    await app.close();
    await unanswered;
  });

  it('is still awaited if its request is resent in the meantime, and the resent request is refused', async () => {
    app = await startApplication();
    handled.reserved = 1_000 * MIB;
    const slow = app.client.request(PATTERNS.detail, { poRef: 'PO-SLOW', includeLineItems: false }, app.request);
    await eventually('it is being made', () => handled.requests.length === 1);
    const { partition, headers, value } = app.kafka.records(TOPICS.queries)[0] as IncomingRecord;
    const again = { ...headers, [HEADERS.correlationId]: 'again', [HEADERS.resent]: '1' };
    const producer = app.kafka.producer();
    await producer.connect();
    await producer.send([{ topic: TOPICS.queries, partition, key: null, value, headers: again }]);
    const statuses = () =>
      replies().map((reply) => [reply.headers[HEADERS.correlationId] === 'again', reply.headers[HEADERS.httpStatus]]);
    await eventually('the resent request is answered', () => statuses().length === 1);
    expect(statuses()).toEqual([[true, '503']]);
    handled.release();
    expect((await slow).status).toBe(200);
    expect((await detail()).status).toBe(200);
    expect(statuses().slice(1)).toEqual([
      [false, '200'],
      [false, '200'],
    ]);
  });

  it('is refused before the deadline if there is no memory, even if its request was resent', async () => {
    app = await startApplication({ deadlines: { ...LONG_DEADLINES, query: 4_000 } });
    handled.reserved = 1_000 * MIB;
    const slow = app.client.request(PATTERNS.detail, { poRef: 'PO-SLOW', includeLineItems: false }, app.request);
    const outOfTime = slow.catch((error: unknown) => error);
    await eventually('it is made', () => handled.requests.length === 1);
    const { status, headers } = await detail();
    expect({ status, headers }).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
    expect(app.kafka.records(TOPICS.queries).some((record) => record.headers[HEADERS.resent])).toBe(true);
    expect(await outOfTime).toMatchObject({ code: 'TIMEOUT' });
  });

  const unsendable = [
    ['is too large for its topic', 'x'.repeat(200 * 1024)],
    ['is no JSON', 1n],
  ] as const;

  it.each(unsendable)('to a query that %s is replaced by 500 at once, and its memory is free', async (_, filling) => {
    app = await startApplication({ topics: narrow });
    Object.assign(handled, { filling, reserved: 1_000 * MIB });
    const { status, body } = await detail();
    expect(status).toBe(500);
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'INTERNAL', requestId: 'r-1' });
    handled.filling = undefined;
    expect((await detail()).status).toBe(200);
  });

  it.each(unsendable)(
    'to a completed write that %s is replaced by outcome unknown with its key',
    async (_, filling) => {
      app = await startApplication({ topics: narrow });
      handled.filling = filling;
      const { status, body } = await transition();
      expect(status).toBe(504);
      expect(JSON.parse(body.toString())).toMatchObject({
        code: 'TIMEOUT',
        outcome: 'unknown',
        idempotencyKey: 'mine',
      });
      expect(handled.requests).toHaveLength(1);
    },
  );
});

describe('the encoding of replies', () => {
  const record = (value: Buffer | string, headers: Record<string, string>) => ({
    topic: TOPICS.replies,
    partition: 0,
    offset: '0',
    key: null,
    value: Buffer.from(value),
    headers,
    rawHeaders: {},
    timestamp: 0,
  });
  const address = {
    [HEADERS.messageType]: 'purchase-order.detail',
    [HEADERS.correlationId]: 'c',
    [HEADERS.deadline]: '1',
    [HEADERS.replyTopic]: TOPICS.replies,
    [HEADERS.replyPartition]: '3',
  };

  it('compresses nothing for a caller that does not accept gzip', async () => {
    expect(envelopeOf(address)?.takesGzip).toBe(false);
    const body = { text: 'x'.repeat(2 * MIB) };
    const { value, headers } = await encodeReply(ok(body), false);
    expect({ same: value === JSON.stringify(body), headers }).toEqual({ same: true, headers: {} });
    expect(String(await decodeReply(record(value, headers))) === value).toBe(true);
  });

  it('compresses a large reply for a gateway that accepts gzip', async () => {
    expect(envelopeOf({ ...address, [HEADERS.acceptEncoding]: 'gzip' })?.takesGzip).toBe(true);
    const body = { text: 'x'.repeat(2 * MIB) };
    const { value, headers } = await encodeReply(ok(body), true);
    expect(value.length).toBeLessThan(MIB / 10);
    expect(String(await decodeReply(record(value, headers))) === JSON.stringify(body)).toBe(true);
  });

  it('does not compress a small reply', async () => {
    expect(await encodeReply(ok({ a: 1 }), true)).toEqual({ value: '{"a":1}', headers: {} });
  });

  it('refuses a reply that is too large for any record', async () => {
    await expect(encodeReply(ok('x'.repeat(8 * MIB)), false)).rejects.toBeInstanceOf(RecordTooLargeError);
    const noise = randomBytes(9 * MIB).toString('latin1');
    await expect(encodeReply(ok(noise), true)).rejects.toBeInstanceOf(RecordTooLargeError);
  });
});
