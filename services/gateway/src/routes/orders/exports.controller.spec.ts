import { connect } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import {
  type ExportPage,
  type ExportPlan,
  type ExportQuery,
  type ExportedLines,
  PATTERNS,
  ProblemError,
  type PurchaseOrderSummary,
} from '@po/contracts';
import { RequestPattern, type Reply, ok } from '@po/messaging';
import { eventually } from '@po/testing/eventually';
import { gatewayForTests, runGateway } from '../../fixtures/gateway.js';
import { exportedLine, exportedLines, exportedOrder } from '../../fixtures/sample-exports.js';

/** Rows per order, so that some pages fill the buffers of a connection. */
const ROWS = 200;

/** Pages of an export, as the order service plans them. */
let plan: (query: ExportQuery) => number[][];
/** Number of rows in the plan. */
let announced: (pages: number[][], rowsOfOrder: number) => number;
let requestedPages: number[][];
let isAway: (orders: number[]) => boolean;
/** Pages of lines wait for it. */
let released: Promise<void>;

@Controller()
class OrderService {
  @RequestPattern(PATTERNS.planExport)
  planExport(@Payload() query: ExportQuery): Reply<ExportPlan> {
    const pages = plan(query);
    return ok({ pages, rows: announced(pages, query.level === 'lines' ? ROWS : 1) });
  }

  @RequestPattern(PATTERNS.exportLines)
  async exportLines(@Payload() { orders }: ExportPage): Promise<Reply<ExportedLines[]>> {
    requestedPages.push(orders);
    await released;
    if (isAway(orders)) throw new ProblemError('UNAVAILABLE', {}, { headers: { 'retry-after': '2' } });
    const lines = Array.from({ length: ROWS }, () => exportedLine({ style: 'x'.repeat(200) }));
    return ok(orders.map((id) => exportedLines(lines, { poNumber: `PO-${id}` })));
  }

  @RequestPattern(PATTERNS.exportOrders)
  exportOrders(@Payload() { orders }: ExportPage): Reply<PurchaseOrderSummary[]> {
    requestedPages.push(orders);
    return ok(orders.map((id) => exportedOrder({ id, poNumber: `PO-${id}` })));
  }
}

describe('GET /api/purchase-order-exports', () => {
  const gateway = gatewayForTests({ services: [OrderService], corsOrigins: ['https://portal.example.com'] });
  let token: string;
  beforeAll(() => {
    token = gateway.provider.token();
  });
  beforeEach(() => {
    plan = () => [[1, 2], [3]];
    announced = (pages, rowsOfOrder) => pages.flat().length * rowsOfOrder;
    requestedPages = [];
    isAway = () => false;
    released = Promise.resolve();
  });

  const get = (query = '', init: RequestInit = {}) =>
    gateway.call(`/api/purchase-order-exports${query}`, { token, ...init });

  it('returns a CSV of lines by default, as one file however many pages it has', async () => {
    const answer = await get('', { headers: { origin: 'https://portal.example.com' } });
    expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
      200,
      expect.objectContaining({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': expect.stringMatching(/^attachment; filename="purchase-orders-\d{4}-\d\d-\d\d\.csv"$/),
        'content-language': 'en',
        vary: expect.stringContaining('Accept-Language'),
        'access-control-expose-headers': expect.stringContaining('Content-Disposition'),
      }),
    ]);
    const today = new Date().toISOString().slice(0, 10);
    const yesterday = new Date(Date.now() - 60_000).toISOString().slice(0, 10);
    expect([`${today}.csv`, `${yesterday}.csv`]).toContain(answer.headers.get('content-disposition')?.slice(38, -1));
    const rows = (await answer.text()).split('\r\n');
    expect(rows).toHaveLength(1 + 3 * ROWS + 1);
    expect([rows[0]?.split(',', 2), rows[1]?.split(',', 2), rows.at(-2)?.split(',', 2)]).toEqual([
      ['PO Number', 'Status'],
      ['PO-1', 'In Revision'],
      ['PO-3', 'In Revision'],
    ]);
    expect(requestedPages).toEqual([[1, 2], [3]]);
  });

  it.each([
    ['csv', 'lines', ROWS],
    ['csv', 'orders', 1],
    ['xlsx', 'lines', ROWS],
  ])('sends the number of rows before the first byte of a %s of %s', async (format, level, rowsOfOrder) => {
    const query = `?format=${format}&level=${level}`;
    const answer = await get(query);
    expect(answer.headers.get('x-total-count')).toBe(String(3 * rowsOfOrder));
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0);
    expect((await get(query, { method: 'HEAD' })).headers.get('x-total-count')).toBe(String(3 * rowsOfOrder));
    plan = () => [];
    const empty = await get(query);
    expect([empty.headers.get('x-total-count'), empty.status]).toEqual(['0', 200]);
    await empty.arrayBuffer();
  });

  it.each(['csv', 'xlsx'])('aborts a %s whose number of rows differs from the announced one', async (format) => {
    for (const rows of [3 * ROWS + 1, 3 * ROWS - 1]) {
      announced = () => rows;
      await expect(get(`?format=${format}`).then((answer) => answer.arrayBuffer())).rejects.toThrow('terminated');
    }
    announced = () => 3 * ROWS;
    await expect(get(`?format=${format}`).then((answer) => answer.arrayBuffer())).resolves.toBeDefined();
  });

  it('passes on every filter and the sorting, and ignores limit and page', async () => {
    let seen: ExportQuery | undefined;
    plan = (query) => {
      seen = query;
      return [];
    };
    const filters =
      'status=New,已发货&vendor=ACME&search=a%25&overdue=true&hasPendingChanges=false&hasSourceConflict=true';
    const answer = await get(`?${filters}&sortField=xfDate&sortDir=desc&limit=0&page=x&level=orders&format=csv`);
    expect([answer.status, (await answer.text()).split('\r\n')]).toEqual([
      200,
      [expect.stringContaining('PO Date'), ''],
    ]);
    expect(seen).toEqual({
      status: ['New', '已发货'],
      vendor: 'ACME',
      search: 'a%',
      overdue: true,
      hasPendingChanges: false,
      hasSourceConflict: true,
      sortField: 'xfDate',
      sortDir: 'desc',
      level: 'orders',
    });
  });

  it('returns a workbook, and texts in the language of Accept-Language', async () => {
    const answer = await get('?format=xlsx&level=orders', { headers: { 'accept-language': 'zh-CN,en;q=0.5' } });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-language')]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'zh',
    ]);
    expect(answer.headers.get('content-disposition')).toMatch(/\.xlsx"$/);
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    const csv = await (await get('?level=orders', { headers: { 'accept-language': 'zh' } })).text();
    expect(csv).toContain('PO-1,修订中,');
  });

  it('answers HEAD as GET without a body, and reads no page for it', async () => {
    const [head, body] = [await get('?format=xlsx', { method: 'HEAD' }), await get('?format=xlsx')];
    await body.arrayBuffer();
    const shown = ({ headers }: Response) =>
      ['content-type', 'content-disposition', 'content-language', 'content-length', 'vary'].map((name) =>
        headers.get(name),
      );
    expect([head.status, shown(head), await head.text()]).toEqual([200, shown(body), '']);
    expect(requestedPages).toEqual([[1, 2], [3]]);
  });

  it('refuses before the first byte an export that is too large or whose first page is unavailable', async () => {
    plan = () => {
      throw new ProblemError('EXPORT_TOO_LARGE', { rows: 50_001, limit: 50_000 });
    };
    for (const method of ['GET', 'HEAD']) expect((await get('', { method })).status).toBe(422);
    const tooLarge = (await (await get()).json()) as { detail: string };
    expect(tooLarge).toMatchObject({ code: 'EXPORT_TOO_LARGE', rows: 50_001, limit: 50_000 });
    expect(tooLarge.detail).toContain('at most 50000');
    plan = () => [[1]];
    isAway = () => true;
    const away = await get();
    expect([away.status, away.headers.get('retry-after'), away.headers.get('content-disposition')]).toEqual([
      503,
      '2',
      null,
    ]);
    expect(away.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  });

  it.each(['csv', 'xlsx'])('aborts a %s whose later page is unavailable, and logs the code', async (format) => {
    isAway = ([id]) => id === 3;
    const before = gateway.lines.length;
    await expect(get(`?format=${format}`).then((answer) => answer.arrayBuffer())).rejects.toThrow('terminated');
    const line = () => gateway.lines.slice(before).find(({ msg }) => msg === 'request');
    await eventually('the request is logged', () => line() !== undefined);
    expect(line()).toMatchObject({ status: 200, aborted: true, code: 'UNAVAILABLE' });
  });

  it('requests no more pages after its client has disconnected', async () => {
    plan = () => Array.from({ length: 400 }, (_, index) => [index]);
    const { port } = new URL((await gateway.call('/')).url);
    const before = gateway.lines.length;
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET /api/purchase-order-exports HTTP/1.1\r\nhost: x\r\nx-user-token: ${token}\r\n\r\n`);
    // The client reads the beginning and then stops. The gateway continues until the buffers of the connection are full, which takes a while.
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    const settled = async () => {
      const count = requestedPages.length;
      return (await fetchNothing()) && requestedPages.length === count && count > 1;
    };
    await eventually('the file waits for its client', settled);
    expect(requestedPages.length).toBeLessThan(400);
    socket.destroy();
    await eventually('the request ends', () =>
      gateway.lines.slice(before).some(({ route }) => String(route).endsWith('-exports')),
    );
    // A page that was already requested may still arrive at the service.
    await fetchNothing();
    const ended = requestedPages.length;
    await fetchNothing();
    expect(requestedPages).toHaveLength(ended);
  });

  it('does not request a page whose client disconnects while it waits for the page of another export', async () => {
    const page = Promise.withResolvers<void>();
    released = page.promise;
    plan = () => [[requestedPages.length]];
    const [before, leaving, planned] = [gateway.lines.length, new AbortController(), Promise.withResolvers<void>()];
    const other = get();
    await eventually('the other page is requested', () => requestedPages.length === 1);
    plan = () => {
      planned.resolve();
      return [[1]];
    };
    const left = get('', { signal: leaving.signal }).catch(() => null);
    await planned.promise;
    await fetchNothing();
    leaving.abort();
    await left;
    await eventually('the gateway notices', () => gateway.lines.slice(before).some(({ aborted }) => aborted));
    plan = () => [[2]];
    page.resolve();
    for (const answer of [await other, await get()]) await answer.text();
    expect(requestedPages).toEqual([[0], [2]]);
  });

  it.each(['csv', 'xlsx'])(
    'aborts a %s at once when the gateway stops, so that the file does not look complete',
    async (format) => {
      plan = () => Array.from({ length: 400 }, (_, index) => [index]);
      const stopping = await runGateway({ services: [OrderService] });
      const { hostname, port } = new URL(stopping.url);
      const socket = connect(Number(port), hostname).setEncoding('latin1');
      const token = stopping.provider.token();
      socket.write(
        `GET /api/purchase-order-exports?format=${format} HTTP/1.1\r\nhost: x\r\nx-user-token: ${token}\r\n\r\n`,
      );
      let received = '';
      socket.on('error', () => undefined).on('data', (piece: string) => (received += piece));
      const ended = new Promise((resolve) => socket.once('close', resolve));
      await eventually('the download has begun', () => received.length > 0);
      stopping.closeExports();
      await ended;
      expect(received).toMatch(/^HTTP\/1\.1 200 /);
      // The end of a chunked response (RFC 9112, section 7.1).
      expect(received.endsWith('0\r\n\r\n')).toBe(false);
      const refused = await stopping.call('/api/purchase-order-exports', { token });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      await stopping.stop();
    },
  );

  it('refuses an export that has sent nothing yet when the gateway stops, so that the client asks another gateway', async () => {
    const page = Promise.withResolvers<void>();
    released = page.promise;
    const stopping = await runGateway({ services: [OrderService] });
    const asked = stopping.call('/api/purchase-order-exports', { token: stopping.provider.token() });
    await eventually('the first page is requested', () => requestedPages.length > 0);
    stopping.closeExports();
    page.resolve();
    const { status, headers } = await asked;
    expect([status, headers.get('retry-after'), headers.get('content-disposition')]).toEqual([503, '5', null]);
    await stopping.stop();
  });

  /** Some requests that give everything else time to continue. */
  const fetchNothing = async () => {
    for (let round = 0; round < 20; round += 1) await (await gateway.call('/api/nothing', { token })).text();
    return true;
  };
});
