import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DEMO_USERS } from '../../deploy/local/demo/users.js';
import { logFile, logsIn } from '../../deploy/local/logs/log-files.js';
import { eventually } from '@po/testing/eventually';
import { type Behaviour, type Receiver, startReceiver } from '@po/testing/otlp/receiver';
import type { ReceivedSpan } from '@po/testing/otlp/spans';
import { readStack, stackFolder } from '../support/stack.js';
import { detailOf, openWorld } from './world.js';

const world = openWorld();
const CLIENT = 'b7ad6b7169203331';
const newTrace = (): string => randomBytes(16).toString('hex');
const traceHeaders = (traceId: string, flags = '01') => ({ traceparent: `00-${traceId}-${CLIENT}-${flags}` });

let receiver: Receiver;
let since: number;
const receive = async (behaviour?: Behaviour): Promise<void> => {
  since = Date.now();
  receiver = await startReceiver(behaviour, Number(process.env.OTLP_PORT));
};
/** The spans of this test. Earlier spans may arrive only now that there is a collector. */
const received = (): ReceivedSpan[] => receiver.spans.filter(({ beganAt }) => beganAt >= since);
afterEach(() => receiver.close());

/** Waits until the buyer is in the directory: before that, transitions of vendors cause no notifications. */
async function untilBuyerIsNotified(): Promise<void> {
  const { poNumber } = await world.importOrder();
  await world.as('buyer').get('/me');
  await eventually('the buyer is notified', async () => {
    for (const action of ['SUBMIT', 'RECALL'])
      await world.as('vendor:ACME').post(`/purchase-orders/${poNumber}/transition`, { action });
    const { body } = await world.as('buyer').get<{ poRef: string }[]>('/notifications');
    return body.some(({ poRef }) => poRef === poNumber);
  });
}

/** The spans of a trace once the span `late` has arrived. `tree` lists kind, label (service and name) and parent of each span. */
async function traceWith(traceId: string, late: string): Promise<{ spans: ReceivedSpan[]; tree: string[][] }> {
  const labelOf = ({ resource, name }: ReceivedSpan) => `${resource['service.name']}: ${name}`;
  const ofTrace = () => received().filter((span) => span.traceId === traceId);
  await eventually(`${late} arrives`, () => ofTrace().some((span) => labelOf(span) === late));
  // Spans that ended later are sent with it or within the next second.
  await eventually('every parent arrived', () => {
    const known = new Set([CLIENT, ...ofTrace().map(({ spanId }) => spanId)]);
    return ofTrace().every(({ parentSpanId }) => known.has(parentSpanId));
  });
  const spans = ofTrace();
  const label = new Map([[CLIENT, 'client'], ...spans.map((span) => [span.spanId, labelOf(span)] as const)]);
  return {
    spans,
    tree: spans.map((span) => [span.kind, labelOf(span), label.get(span.parentSpanId) ?? 'nobody']),
  };
}

describe('the trace of a transition', () => {
  it('goes from the client through every service and contains no personal or order data', async () => {
    await receive();
    await untilBuyerIsNotified();
    const { poNumber, buyer } = await world.importOrder();
    const traceId = newTrace();
    const path = `/purchase-orders/${poNumber}/transition`;
    const api = world.as('vendor:ACME');
    const comment = 'fabric is late';
    const answer = await api.post(path, { action: 'SUBMIT', comment }, traceHeaders(traceId));
    expect(answer.status).toBe(200);
    await traceWith(traceId, 'notifications: send po.notifications.v1');
    const { tree, spans } = await traceWith(traceId, 'dashboard: process po.state.v1');
    const route = 'gateway: POST /api/purchase-orders/:poRef/transition';
    const [clientSpan, serverSpan] = [
      'gateway: purchase-order.transition',
      'purchase-orders: purchase-order.transition',
    ];
    expect(tree).toEqual(
      expect.arrayContaining([
        ['server', route, 'client'],
        ['client', clientSpan, route],
        ['server', serverSpan, clientSpan],
        ['internal', 'purchase-orders: transaction', serverSpan],
        ['client', 'purchase-orders: COMMIT', 'purchase-orders: transaction'],
        ['producer', 'purchase-orders: send po.transitions.v1', serverSpan],
        ['producer', 'purchase-orders: send po.state.v1', serverSpan],
        ['consumer', 'notifications: process po.transitions.v1', 'purchase-orders: send po.transitions.v1'],
        ['internal', 'notifications: store batch', 'notifications: process po.transitions.v1'],
        ['internal', 'notifications: transaction', 'notifications: store batch'],
        ['client', 'notifications: notifications-deliver', 'notifications: transaction'],
        ['producer', 'notifications: send po.notifications.v1', 'notifications: process po.transitions.v1'],
        ['consumer', 'dashboard: process po.state.v1', 'purchase-orders: send po.state.v1'],
        ['client', 'dashboard: EVALSHA applyState', 'dashboard: process po.state.v1'],
      ]),
    );
    expect(tree.filter(([, , parent]) => parent === 'nobody')).toEqual([]);
    expect(spans.filter(({ isError }) => isError)).toEqual([]);
    const { sub, email, name } = DEMO_USERS['vendor:ACME'];
    const { tokens } = readStack();
    const exportedText = JSON.stringify(received());
    for (const secret of [poNumber, sub, email, name, 'ACME', buyer?.email ?? '', comment, tokens['vendor:ACME'], '@'])
      expect(exportedText).not.toContain(secret);
    expect(new Set(received().map(({ traceId: id }) => id))).toEqual(new Set([traceId]));
  });

  it('shows a refusal by its status and not as an error', async () => {
    await receive();
    const { poNumber } = await world.importOrder();
    const traceId = newTrace();
    const path = `/purchase-orders/${poNumber}/transition`;
    const answer = await world.as('buyer').post(path, { action: 'APPROVE' }, traceHeaders(traceId));
    expect(answer.status).toBe(409);
    const { spans } = await traceWith(traceId, 'gateway: POST /api/purchase-orders/:poRef/transition');
    await traceWith(traceId, 'purchase-orders: purchase-order.transition');
    expect(received().filter(({ isError }) => isError)).toEqual([]);
    expect(spans.find(({ kind, name }) => kind === 'server' && name.startsWith('POST'))?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/purchase-orders/:poRef/transition',
      'http.response.status_code': 409,
    });
  });

  it('is not exported if its client does not sample it', async () => {
    await receive();
    const { poNumber } = await world.importOrder();
    const [kept, left] = [newTrace(), newTrace()];
    const read = (headers?: Record<string, string>) =>
      world.as('buyer').get(`/purchase-orders/${poNumber}`, undefined, headers);
    await read(traceHeaders(left, '00'));
    await read();
    await read(traceHeaders(kept));
    await traceWith(kept, 'purchase-orders: purchase-orders.detail');
    expect(new Set(received().map(({ traceId }) => traceId))).toEqual(new Set([kept]));
    // The trace id is still in the logs.
    const log = await readFile(logFile(logsIn(stackFolder()), 'gateway', 0), 'utf8');
    for (const traceId of [left, kept]) expect(log).toContain(`"traceId":"${traceId}"`);
  });
});

describe.each<Behaviour>(['hangs', 'refuses'])('a collector that %s', (behaviour) => {
  it('changes no answer and does not delay a stopping service', async () => {
    await receive(behaviour);
    const { poNumber } = await world.importOrder();
    const vendor = world.as('vendor:ACME');
    const path = `/purchase-orders/${poNumber}/transition`;
    const answer = await vendor.post(path, { action: 'SUBMIT' }, traceHeaders(newTrace()));
    expect(answer.status).toBe(200);
    await eventually(
      'all services have sent spans',
      () => new Set(received().map((span) => span.resource['service.name'])).size > 3,
    );
    const file = logFile(logsIn(stackFolder()), 'notifications', 0);
    const { length: before } = await readFile(file);
    const pid = readStack().pids.notifications[0] ?? 0;
    process.kill(pid, 'SIGTERM');
    const {
      notifications: [management],
    } = readStack().managementUrls;
    await eventually(
      'another replica has taken its place',
      async () => readStack().pids.notifications[0] !== pid && (await fetch(`${management}/readyz`)).ok,
    );
    const log = (await readFile(file)).subarray(before).toString('utf8');
    expect(log).toContain('"msg":"stopped"');
    expect(log).not.toContain('a drain step failed');
    expect((await detailOf(world.as('buyer'), poNumber)).status).toBe('Pending Approval');
  });
});
