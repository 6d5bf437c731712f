import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type ImportChecked, type OrderQuery, PATTERNS, ProblemError } from '@po/contracts';
import { RequestPattern, type Reply, noContent, ok, okSerialized } from '@po/messaging';
import { eventually } from '@po/testing/eventually';
import { gatewayForTests } from '../fixtures/gateway.js';

/** A response that exceeds the limit on unread bytes. */
const LARGE = Buffer.from(JSON.stringify('x'.repeat(33 * 1024 * 1024)));
const ORDERS = '/api/purchase-orders';

/** Writes that reached a service; they are answered once the gate opens. */
let taken: string[];
let gate: PromiseWithResolvers<void>;
async function written<T>(what: string, answer: () => T): Promise<T> {
  taken.push(what);
  await gate.promise;
  return answer();
}

@Controller()
class Services {
  @RequestPattern(PATTERNS.detail)
  detail(@Payload() { poRef }: OrderQuery): Reply<never> {
    if (poRef !== 'PO-1') throw new ProblemError('PO_NOT_FOUND');
    return okSerialized(LARGE);
  }

  @RequestPattern(PATTERNS.kpis)
  kpis(): Reply<never> {
    return okSerialized(Buffer.from('{}'));
  }

  @RequestPattern(PATTERNS.updateHeader)
  updateHeader(): Promise<Reply<never>> {
    return written('change', () => okSerialized(LARGE));
  }

  @RequestPattern(PATTERNS.updateLines)
  updateLines(): Promise<Reply<never>> {
    return written('stale change', () => {
      throw new ProblemError('VERSION_MISMATCH', { currentVersion: 9 });
    });
  }

  @RequestPattern(PATTERNS.checkImport)
  checkImport(): Reply<ImportChecked> {
    return ok({ success: true });
  }

  @RequestPattern(PATTERNS.importLines)
  importLines(): Promise<Reply<never>> {
    return written('import', () => okSerialized(Buffer.from('{}')));
  }

  @RequestPattern(PATTERNS.beginTransitions)
  beginTransitions(): Promise<Reply<never>> {
    return written('batch', () => {
      throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
    });
  }

  @RequestPattern(PATTERNS.deleteUser)
  deleteUser(): Promise<Reply<never>> {
    return written('deletion', noContent);
  }
}

describe('a user at the limit of unread responses', () => {
  const gateway = gatewayForTests({ services: [Services] });
  let unread: Socket;
  let user = 'u-0';
  beforeEach(() => {
    taken = [];
    gate = Promise.withResolvers();
    // The gateway may notice only later that the connection of an earlier test has closed.
    user = `u-${Number(user.slice(2)) + 1}`;
  });
  afterEach(() => {
    gate.resolve();
    unread.destroy();
  });

  const token = (sub = user) => gateway.provider.token({ sub, role: 'ADMIN' });
  const leaveUnread = async () => {
    unread = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8');
    unread.write(`GET ${ORDERS}/PO-1 HTTP/1.1\r\nhost: x\r\nx-user-token: ${token()}\r\n\r\n`);
    await once(unread, 'readable');
    expect(unread.read(12)).toBe('HTTP/1.1 200');
  };
  const read = (path: string, sub?: string) => gateway.call(path, { token: token(sub) });
  const write = (method: string, path: string, body?: unknown, type = 'application/json') =>
    gateway.call(path, {
      method,
      token: token(),
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': type }, body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  // To different orders, because writes to one order wait for each other.
  const writes = () => [
    write('PATCH', `${ORDERS}/PO-1`, { tracking_number: 'T' }),
    write('PATCH', `${ORDERS}/PO-2/line-items`, { lines: [{ rowHash: 'a', vendorReplyQty: 1 }] }),
    write('POST', `${ORDERS}/PO-3/line-items/import`, 'Row ID,Reply Qty\r\na1,5\r\n', 'text/csv'),
    write('POST', `${ORDERS}/transitions`, { items: [{ poRef: 'PO-4', action: 'SUBMIT' }] }),
    write('DELETE', '/api/users/u-1'),
  ];
  const statuses = (answers: Promise<Response>[]) =>
    Promise.all(
      answers.map(async (answer) => {
        const response = await answer;
        await response.arrayBuffer();
        return response.status;
      }),
    );

  it('still receives the results of writes sent before', async () => {
    const sent = writes();
    await eventually('all writes are in progress', () => taken.length === sent.length);
    await leaveUnread();
    gate.resolve();
    expect(await statuses(sent)).toEqual([200, 412, 200, 422, 204]);
  });

  it('gets 503 for reads, and for new writes, which are not sent, until some are read; errors still arrive, others are served', async () => {
    gate.resolve();
    await leaveUnread();
    const refused = await write('DELETE', '/api/users/u-1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await statuses(writes())).toEqual([503, 503, 503, 503, 503]);
    expect(taken).toEqual([]);
    const reads = ['/api/dashboard/kpis', `${ORDERS}/PO-1`, `${ORDERS}/PO-5`];
    expect(await statuses(reads.map((path) => read(path)))).toEqual([503, 503, 404]);
    expect((await read('/api/dashboard/kpis', 'other')).status).toBe(200);
    unread.destroy();
    await eventually('writes are accepted again', async () => (await write('DELETE', '/api/users/u-1')).status === 204);
    const large = await read(`${ORDERS}/PO-1`);
    expect(large.headers.get('content-length')).toBe(String(LARGE.length));
    expect(LARGE.equals(Buffer.from(await large.arrayBuffer()))).toBe(true);
  });
});
