import { Writable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { type Receiver, startReceiver } from '@po/testing/otlp/receiver';
import { createLogger } from '../logger.js';
import type { OtlpSettings } from '../configuration/otlp-settings.js';
import { SPANS } from './spans.js';
import {
  activeSpan,
  beginChildSpan,
  errorTypeOf,
  startTracing,
  continueTrace,
  traced,
  tracedBatch,
  withSpan,
} from './tracing.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const sampled = `00-${TRACE}-${PARENT}-01`;
const unsampled = `00-${TRACE}-${PARENT}-00`;

let receiver: Receiver;
let stop: () => Promise<void>;
const lines: string[] = [];

async function trace(settings: Partial<OtlpSettings> = {}): Promise<void> {
  receiver = await startReceiver();
  lines.length = 0;
  const sink = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
  stop = await startTracing(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
      ...settings,
    },
    { service: 'test', instanceId: 'test-1', logger: createLogger('test', 'info', sink) },
  );
}

const begin = (incoming?: string) => continueTrace('request', 'GET', incoming, { 'http.request.method': 'GET' });

/** Stops tracing and returns the spans that the collector received. */
async function arrived() {
  await stop();
  return receiver.spans;
}

afterEach(async () => {
  await stop();
  await receiver.close();
});

describe('a trace', () => {
  it('continues the trace of the client and is exported with the resource attributes', async () => {
    await trace({
      OTEL_EXPORTER_OTLP_HEADERS: { 'x-key': 'sesame' },
      OTEL_RESOURCE_ATTRIBUTES: { 'deployment.environment.name': 'test' },
    });
    const span = begin(sampled);
    expect(span.traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-01$`));
    span.rename('GET /api/x/:id');
    span.set({ 'http.route': '/api/x/:id', 'http.response.status_code': 409 });
    span.end();
    span.set({ 'http.response.status_code': 500 });
    span.end('500');
    expect(await arrived()).toMatchObject([
      {
        traceId: TRACE,
        parentSpanId: PARENT,
        name: 'GET /api/x/:id',
        kind: 'server',
        isError: false,
        attributes: { 'http.request.method': 'GET', 'http.route': '/api/x/:id', 'http.response.status_code': 409 },
        resource: {
          'service.name': 'test',
          'service.instance.id': 'test-1',
          'service.namespace': 'po-collaboration',
          'service.version': expect.any(String),
          'deployment.environment.name': 'test',
        },
      },
    ]);
    expect(receiver.exports).toMatchObject([{ path: '/v1/traces', headers: { 'x-key': 'sesame' } }]);
  });

  it('keeps the sampling decision of the client, and starts a new trace for an invalid header', async () => {
    await trace();
    for (const incoming of [unsampled, undefined, 'x', `00-${TRACE}-${'0'.repeat(16)}-01`]) begin(incoming).end();
    const spans = await arrived();
    expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual(['', '', '']);
    expect(spans.map(({ traceId }) => traceId)).not.toContain(TRACE);
  });

  it.each([
    ['always_on', 1, [true, true, true]],
    ['always_off', 1, [false, false, false]],
    ['traceidratio', 0, [false, false, false]],
    ['parentbased_always_on', 1, [true, false, true]],
    ['parentbased_always_off', 1, [true, false, false]],
    ['parentbased_traceidratio', 0, [true, false, false]],
  ] as const)(
    'with sampler %s at ratio %d is recorded if sampled, unsampled, new: %j',
    async (sampler, ratio, expected) => {
      await trace({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio });
      const spans = [sampled, unsampled, undefined].map((incoming) => begin(incoming));
      expect(spans.map(({ isRecorded }) => isRecorded)).toEqual(expected);
      // The next service must make the same decision.
      expect(spans.map(({ traceparent }) => traceparent.endsWith('-01'))).toEqual(expected);
      for (const span of spans) span.end();
      expect(await arrived()).toHaveLength(expected.filter(Boolean).length);
    },
  );
});

describe('work in a span', () => {
  it('has child spans even after an await, and records only the type of an error', async () => {
    await trace();
    const span = begin(sampled);
    const refused = Object.assign(new Error('duplicate key (PO-1)'), { code: '23505' });
    const failing = withSpan(span, () =>
      traced('transaction', 'transaction', { 'db.namespace': 'orders' }, async () => {
        await traced('statement', 'load', { 'db.query.summary': 'load' }, () => Promise.resolve());
        await traced('statement', 'save', { 'db.query.summary': 'save' }, () => Promise.reject(refused));
      }),
    );
    await expect(failing).rejects.toBe(refused);
    span.end();
    const spans = await arrived();
    const idOf = (name: string) => spans.find((each) => each.name === name)?.spanId;
    const shown = spans.map(({ name, parentSpanId, isError, attributes }) => [
      name,
      parentSpanId,
      isError,
      attributes['error.type'],
    ]);
    expect(shown).toEqual([
      ['load', idOf('transaction'), false, undefined],
      ['save', idOf('transaction'), true, '23505'],
      ['transaction', idOf('GET'), true, '23505'],
      ['GET', PARENT, false, undefined],
    ]);
    expect(JSON.stringify(spans)).not.toContain('PO-1');
  });

  it('records nothing without a span, in an unsampled span, or after its end', async () => {
    await trace();
    const work = () => traced('statement', 'load', {}, () => Promise.resolve(activeSpan()));
    expect(await work()).toBeUndefined();
    expect(await withSpan(begin(unsampled), work)).toBeUndefined();
    const ended = begin(sampled);
    await withSpan(ended, () => {
      ended.end();
      return work();
    });
    expect(beginChildSpan('rpcClient', 'x', {}, unsampled)).toBeUndefined();
    expect((await arrived()).map(({ name }) => name)).toEqual(['GET']);
  });

  it('shared by several spans gets a span below the first, linked to the others', async () => {
    await trace();
    const spans = [begin(sampled), begin(unsampled), begin(), begin()];
    await tracedBatch('store batch', [undefined, ...spans], () =>
      traced('statement', 'load', {}, () => Promise.resolve()),
    );
    expect(await tracedBatch('store batch', [begin(unsampled)], () => Promise.resolve(activeSpan()))).toBeUndefined();
    for (const span of spans) span.end();
    const received = await arrived();
    const [statement, batch, first, second, third] = received;
    expect(received).toHaveLength(5);
    expect(batch).toMatchObject({
      name: 'store batch',
      kind: 'internal',
      parentSpanId: first?.spanId,
      traceId: TRACE,
      links: [second?.spanId, third?.spanId],
      attributes: { 'messaging.batch.message_count': 5 },
    });
    expect(statement?.parentSpanId).toBe(batch?.spanId);
  });
});

describe('a collector', () => {
  it('gets only the spans that fit into the queue; the rest are dropped and logged', async () => {
    await trace();
    for (let count = 0; count < 20_000; count += 1) begin().end();
    await eventually('the loss is logged', () => {
      begin().end();
      return lines.length > 0;
    });
    // All spans except those in flight and in the queue.
    expect(lines.join()).toMatch(/Dropped \d+ spans/);
    expect(Number(/Dropped (\d+)/.exec(lines.join())?.[1])).toBeGreaterThanOrEqual(20_000 - 512 - 4_096);
  });
});

describe('the span catalog', () => {
  it('uses only attributes of the semantic conventions and attributes with the prefix po.', async () => {
    const stable = await import('@opentelemetry/semantic-conventions');
    const incubating = await import('@opentelemetry/semantic-conventions/incubating');
    const known = new Set([stable, incubating].flatMap((module: object): unknown[] => Object.values(module)));
    const names = Object.values(SPANS).flatMap(({ attributes, fixed }) => [...attributes, ...Object.keys(fixed)]);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !known.has(name) && !name.startsWith('po.'))).toEqual([]);
  });

  it.each([
    ['57014', Object.assign(new Error('x'), { code: '57014' })],
    ['Error', Object.assign(new Error('x'), { code: 'told by li@example.com' })],
    ['TypeError', new TypeError('x')],
    ['string', 'x'],
  ])('gives an error the type %s', (type, error) => {
    expect(errorTypeOf(error)).toBe(type);
  });
});
