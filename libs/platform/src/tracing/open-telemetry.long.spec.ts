import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { type Behaviour, type Receiver, startReceiver } from '@po/testing/otlp/receiver';
import { createLogger } from '../logger.js';
import { openTracer } from './open-telemetry.js';
import type { Tracer } from './tracer.js';

let receiver: Receiver;
let tracer: Tracer;
const lines: string[] = [];

async function open(behaviour?: Behaviour): Promise<void> {
  receiver = await startReceiver(behaviour);
  lines.length = 0;
  const sink = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
  tracer = openTracer(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: { 'x-key': 'sesame' },
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
    },
    { service: 'test', instanceId: 'test-1', logger: createLogger('test', 'info', sink) },
  );
}

const record = () => tracer.begin('request', 'GET', { 'http.request.method': 'GET' }, { parent: undefined }).end();

afterEach(async () => {
  await tracer.stop();
  await receiver.close();
});

// The SDK's global error handler gets each abandoned export up to five seconds later, so no test here may depend on that report.
it.each<Behaviour>(['refuses', 'hangs'])(
  'a collector that %s is logged once and delays neither work nor shutdown',
  async (behaviour) => {
    await open(behaviour);
    for (let count = 0; count < 20_000; count += 1) record();
    await eventually('an export was tried', () => receiver.exports.length > 0);
    await tracer.stop();
    // The stop did not wait until the exports gave up; their failure would have been reported by now.
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(receiver.waiting() > 0).toBe(behaviour === 'hangs');
    expect(lines.length).toBeLessThanOrEqual(1);
    expect(lines.join()).not.toContain('sesame');
  },
);

it('spans for an unavailable collector are dropped, and the loss is logged once', async () => {
  await open();
  await receiver.close();
  record();
  await eventually('it is logged', () => lines.length > 0);
  record();
  await tracer.stop();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', msg: 'spans are lost', times: 1 });
});
