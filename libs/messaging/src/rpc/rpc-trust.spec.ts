import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GROUPS, HEADERS, PATTERNS, TOPICS } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import { type TestApplication, handled, startApplication } from '../fixtures/application.js';
import type { OutgoingRecord } from '../kafka-port.js';
import { messages } from '../metrics.js';
import { NO_ACTOR } from './rpc-headers.js';

const detail = { poRef: 'PO-1', includeLineItems: false };
const submit = { poRef: 'PO-1', request: { action: 'SUBMIT' } };

describe('the authentication of a request', () => {
  let app: TestApplication;
  beforeEach(async () => {
    messages.reset();
    app = await startApplication();
  });
  afterEach(() => app.close());

  const outcomes = async (outcome: string) => {
    const { values } = await messages.get();
    return values
      .filter(({ labels }) => labels.outcome === outcome && labels.group !== GROUPS.notificationsEvents)
      .reduce((sum, { value }) => sum + value, 0);
  };
  const send = (...records: OutgoingRecord[]) => app.kafka.producer().send(records);

  /** The only record on a topic, as it was sent. */
  const recorded = (topic: string): OutgoingRecord => {
    const [record] = app.kafka.records(topic);
    if (!record) throw new Error(`nothing on ${topic}`);
    const { key, value, headers } = record;
    return { topic, key, value, headers: { ...headers } };
  };
  const withHeaders = (record: OutgoingRecord, headers: Record<string, string>): OutgoingRecord => ({
    ...record,
    headers: { ...record.headers, ...headers },
  });

  const transition = () =>
    app.client.request(PATTERNS.transition, submit, {
      ...app.request,
      key: 'PO-1',
      method: 'POST',
      idempotencyKey: 'k-1',
      idempotencyOrigin: 'client',
      ifMatch: '"7"',
    });

  it('accepts a signature only for its own command, even if the command is repeated', async () => {
    await expect(transition()).resolves.toMatchObject({ status: 200 });
    const command = recorded(TOPICS.commands);
    const others: OutgoingRecord[] = [
      { ...command, key: 'PO-2' },
      { ...command, value: JSON.stringify({ ...submit, request: { action: 'CANCEL' } }) },
      withHeaders(command, { [HEADERS.messageType]: PATTERNS.updateHeader.type }),
      withHeaders(command, { [HEADERS.commandId]: 'another' }),
      withHeaders(command, { [HEADERS.deadline]: String(Date.now() + 120_000) }),
      withHeaders(command, { [HEADERS.idempotencyKey]: 'k-2' }),
      withHeaders(command, { [HEADERS.idempotencyOrigin]: 'minted' }),
      withHeaders(command, { [HEADERS.method]: 'PATCH' }),
      withHeaders(command, { [HEADERS.ifMatch]: '*' }),
    ];
    await send(...others);
    await eventually('all others are refused', async () => (await outcomes('unauthenticated')) === others.length);
    expect(handled.requests).toHaveLength(1);
    await send(withHeaders(command, { [HEADERS.redrivenFrom]: 'a/0/1' }));
    await eventually('the same command is handled again', () => handled.requests.length === 2);
  });

  it('accepts no query signature for a command, and no command signature for a query', async () => {
    await app.client.request(PATTERNS.detail, detail, app.request);
    await transition();
    const [query, command] = [recorded(TOPICS.queries), recorded(TOPICS.commands)];
    const actorOf = ({ headers }: OutgoingRecord) => ({ [HEADERS.actor]: String(headers[HEADERS.actor]) });
    await send(withHeaders(command, actorOf(query)), withHeaders(query, actorOf(command)));
    await eventually('both are refused', async () => (await outcomes('unauthenticated')) === 2);
    expect(handled.requests).toHaveLength(2);
  });

  it('allows replies only on the reply topic: requests that name another topic or an invalid partition are ignored', async () => {
    await transition();
    const command = recorded(TOPICS.commands);
    const elsewhere = [
      { [HEADERS.replyTopic]: TOPICS.state },
      ...['24', '-1', '', '1.5', '0x1', 'NaN'].map((partition) => ({ [HEADERS.replyPartition]: partition })),
    ];
    await send(...elsewhere.map((headers) => withHeaders(command, headers)));
    await eventually('all are ignored', async () => (await outcomes('unanswerable')) === elsewhere.length);
    expect(handled.requests).toHaveLength(1);
    expect(app.kafka.records(TOPICS.state)).toEqual([]);
  });

  it('is not needed for a query that a service sends without a user, which is handled with no name and the fewest permissions', async () => {
    const query = { ids: ['n-1'] };
    const response = app.client.request(PATTERNS.readMarks, query, { ...app.request, actorToken: NO_ACTOR });
    await expect(response).resolves.toMatchObject({ status: 200 });
    expect(handled.requests).toMatchObject([{ query, context: { actor: { sub: '-', role: 'VIEWER', name: null } } }]);
    const unsigned = Object.values(PATTERNS).filter((pattern) => 'unsigned' in pattern);
    expect(unsigned.map(({ type, kind }) => [type, kind])).toEqual([
      ['notifications.read-marks', 'query'],
      ['mail.unsubscription', 'query'],
    ]);
  });
});
