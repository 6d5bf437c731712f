import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  type ExportPage,
  type ExportPlan,
  type ExportedLines,
  type ImportResult,
  type OrderQuery,
  PATTERNS,
  ProblemError,
  type PurchaseOrderDetail,
} from '@po/contracts';
import { RequestPattern, type Reply, type RpcContext, ok } from '@po/messaging';
import { eventually } from '@po/testing/eventually';
import type { AdmissionLimits } from './limits.js';
import { exportedLine, exportedLines } from '../fixtures/sample-exports.js';
import { type RunningGateway, runGateway } from '../fixtures/gateway.js';

const EXPORTS = '/api/purchase-order-exports';
const IMPORT = '/api/purchase-orders/PO-1/line-items/import';
const CSV = 'Row ID,Reply Qty\r\na1,5\r\n';
const MIB = 1024 * 1024;
/** More than the buffers of a connection hold. */
const MANY_PAGES = 400;

/** Rows per order. */
const ROWS = 200;

/** Pages of an export, each with one order. */
let pages: number;
/** Bytes of an order's comment. */
let commentBytes: number;
/** Export pages are answered once this resolves. */
let gate: Promise<void>;

@Controller()
class OrderService {
  @RequestPattern(PATTERNS.planExport)
  planExport(): Reply<ExportPlan> {
    return ok({ pages: Array.from({ length: pages }, (_, id) => [id]), rows: pages * ROWS });
  }

  @RequestPattern(PATTERNS.exportLines)
  async exportLines(@Payload() { orders }: ExportPage): Promise<Reply<ExportedLines[]>> {
    await gate;
    const lines = Array.from({ length: ROWS }, () => exportedLine({ style: 'x'.repeat(200) }));
    return ok(orders.map((id) => exportedLines(lines, { poNumber: `PO-${id}` })));
  }

  @RequestPattern(PATTERNS.checkImport)
  checkImport(@Payload() { poRef }: OrderQuery, @Ctx() { actor }: RpcContext): Reply<{ success: true }> {
    if (poRef !== 'PO-1') throw new ProblemError('PO_NOT_FOUND');
    if (actor.role !== 'VENDOR') throw new ProblemError('ROLE_NOT_ALLOWED');
    return ok({ success: true });
  }

  @RequestPattern(PATTERNS.importLines)
  importLines(): Reply<ImportResult> {
    return ok({ applied: true, rows: 1, changes: [], errors: [] }, { etag: '"4"' });
  }

  @RequestPattern(PATTERNS.detail)
  detail(): Reply<PurchaseOrderDetail> {
    return ok({ poRef: 'PO-1', vendorReplyComment: 'x'.repeat(commentBytes) } as PurchaseOrderDetail);
  }

  @RequestPattern(PATTERNS.updateHeader)
  updateHeader(): Reply<PurchaseOrderDetail> {
    return this.detail();
  }
}

describe('a greedy or slow user', () => {
  let gateway: RunningGateway;
  let sockets: Socket[];
  beforeEach(() => {
    pages = 2;
    commentBytes = 0;
    gate = Promise.resolve();
    sockets = [];
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await gateway.stop();
  });

  const start = async (admission: Partial<AdmissionLimits & { exportsPerMinute: number }> = {}) => {
    gateway = await runGateway({ services: [OrderService], admission });
  };
  const tokenOf = (sub: string, role = 'VENDOR') => gateway.provider.token({ sub, role, vendor_code: 'ACME' });
  const exported = (sub: string) => gateway.call(EXPORTS, { token: tokenOf(sub) });
  /** Sends the start of a request and reads at most the first chunk of the response. */
  const send = (head: string, body = '') => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('utf8');
    sockets.push(socket);
    socket.on('error', () => undefined).write(`${head} HTTP/1.1\r\nhost: x\r\n${body}`);
    return socket;
  };
  const download = (sub: string) => send(`GET ${EXPORTS}`, `x-user-token: ${tokenOf(sub)}\r\n\r\n`);
  const orderRead = (sub: string) => send('GET /api/purchase-orders/PO-1', `x-user-token: ${tokenOf(sub)}\r\n\r\n`);
  /** Reads no more than the first chunk. */
  const statusOf = async (socket: Socket) => {
    await once(socket, 'readable');
    return String(socket.read(12)).slice(9);
  };
  const upload = (token: string, { path = IMPORT, sent = 1, size = 5 * MIB } = {}) =>
    send(
      `POST ${path}`,
      `x-user-token: ${token}\r\ncontent-type: text/csv\r\ncontent-length: ${size}\r\n\r\n${' '.repeat(sent)}`,
    );
  const largeOf = (sub: string) =>
    gateway.call(IMPORT, {
      token: tokenOf(sub),
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body: Buffer.concat([Buffer.from(CSV), Buffer.alloc(5 * MIB - CSV.length, '\n')]),
    });
  const firstOf = async (socket: Socket) => ((await once(socket, 'data')) as [string])[0];
  const problemIn = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { code: string };

  /** Asserts that another user is not affected. */
  const expectOthersAreServed = async () => {
    const token = tokenOf('other');
    const headers = { 'content-type': 'application/json' };
    const patch = { method: 'PATCH', headers, body: '{"vendor_reply_factory":"B"}' };
    expect((await gateway.call('/api/purchase-orders/PO-1', { token })).status).toBe(200);
    expect((await gateway.call('/api/purchase-orders/PO-1', { token, ...patch })).status).toBe(200);
    const file = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: CSV };
    expect((await gateway.call(IMPORT, { token, ...file })).status).toBe(200);
  };

  it('gets two of thirty concurrent exports, while another user can read, edit, import and export', async () => {
    await start({ exportsPerMinute: 10 });
    const { promise, resolve: open } = Promise.withResolvers<void>();
    gate = promise;
    const responses = Array.from({ length: 30 }, () => exported('greedy'));
    const ended: Response[] = [];
    for (const answer of responses) void answer.then((response) => ended.push(response));
    await eventually('all but two are refused', () => ended.length === 28);
    for (const { status, headers } of ended) expect([status, headers.get('retry-after')]).toEqual([429, '10']);
    expect(await ended[0]?.json()).toMatchObject({ code: 'TOO_MANY_EXPORTS' });
    const another = exported('other');
    await expectOthersAreServed();
    expect(ended).toHaveLength(28);
    open();
    expect((await another).status).toBe(200);
    const files = (await Promise.all(responses)).filter(({ status }) => status === 200);
    expect(files).toHaveLength(2);
    for (const file of [...files, await another]) expect(await file.text()).toContain('PO-1');
  });

  it('gets a localized 429 for the eleventh export within a minute, while another user can export', async () => {
    await start({ exportsPerMinute: 10 });
    for (let nth = 0; nth < 10; nth += 1) expect(await (await exported('greedy')).text()).toContain('PO-1');
    const headers = { 'accept-language': 'zh' };
    const refused = await gateway.call(EXPORTS, { token: tokenOf('greedy'), headers });
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(await refused.json()).toMatchObject({
      code: 'TOO_MANY_EXPORTS',
      detail: expect.stringMatching(/^一分钟内导出过多，请在 \d+ 秒后重试。$/),
    });
    expect((await gateway.call(EXPORTS, { token: tokenOf('greedy'), method: 'HEAD' })).status).toBe(429);
    expect((await exported('other')).status).toBe(200);
  });

  it('reaches the export limit of the gateway with others: the next export is 503 with Retry-After, other requests are served', async () => {
    await start({ exportsPerGateway: 3 });
    pages = MANY_PAGES;
    const slow = ['a', 'a', 'b'].map(download);
    for (const socket of slow) {
      expect(await firstOf(socket)).toContain('200 OK');
      socket.pause();
    }
    const refused = await exported('c');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' });
    await expectOthersAreServed();
    expect(slow.filter(({ destroyed }) => destroyed)).toEqual([]);
    pages = 1;
    slow[0]?.destroy();
    await eventually('there is room again', async () => (await exported('c')).status === 200);
  });

  it('reads a download below the minimum rate: the download is aborted, others are served, and the user can export again', async () => {
    await start({ exportMinBytesPerSecond: 1e12, exportRateWindowMs: 50 });
    pages = MANY_PAGES;
    const slow = download('slow');
    await firstOf(slow);
    slow.pause();
    const line = () => gateway.lines.find(({ route, aborted }) => String(route).endsWith('-exports') && aborted);
    await expectOthersAreServed();
    await eventually('the download is aborted', line);
    pages = 1;
    expect(await (await exported('slow')).text()).toContain('PO-0');
  });

  it('exceeds the download deadline: the download is aborted', async () => {
    await start({ exportDeadlineMs: 200, exportMinBytesPerSecond: 0 });
    pages = MANY_PAGES;
    const slow = download('slow');
    await firstOf(slow);
    slow.pause();
    await eventually('the download is aborted', () => gateway.lines.find(({ aborted }) => aborted));
  });

  it('reads a large order below the minimum rate: the connection is closed', async () => {
    await start({ exportMinBytesPerSecond: 1e12, exportRateWindowMs: 50 });
    commentBytes = 15 * MIB;
    await statusOf(orderRead('slow'));
    await eventually('the response is aborted', () => gateway.lines.find(({ aborted }) => aborted));
  });

  it('stalls twelve uploads with others: small bodies of another user are accepted, a large one is 503', async () => {
    // On a busy machine the uploads take a while to start; none may be aborted before all have started.
    await start({ uploadRateWindowMs: 60_000 });
    const stalled = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((sub) => [upload(tokenOf(sub)), upload(tokenOf(sub))]);
    const large = () => largeOf('g');
    const full = async () => {
      const answer = await large();
      return answer.status === 503 && answer;
    };
    const refused = await eventually('there is no room', full);
    expect(refused.headers.get('retry-after')).toBe('2');
    await expectOthersAreServed();
    expect(stalled.filter(({ destroyed }) => destroyed)).toEqual([]);
    for (const socket of stalled) socket.destroy();
    await eventually('there is room again', async () => (await large()).status === 200);
  });

  it('sends an upload below the minimum rate: it is refused, its connection is closed, and its memory is released', async () => {
    await start({ uploadRateWindowMs: 3_000, uploadBytesPerGateway: 6 * MIB });
    const slow = upload(tokenOf('slow'));
    const ended = once(slow, 'close');
    const answer = await firstOf(slow);
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*connection: close/i);
    expect(problemIn(answer).code).toBe('BAD_REQUEST');
    await ended;
    expect((await largeOf('other')).status).toBe(200);
  });

  it('stalls two uploads: the third is refused before its body arrives, while small ones are accepted', async () => {
    await start();
    const token = tokenOf('greedy');
    const refusal = await Promise.race([1, 2, 3].map(() => firstOf(upload(token))));
    expect(refusal).toMatch(/^HTTP\/1\.1 429 [^]*\r\nretry-after: 10\r\n/i);
    expect(problemIn(refusal)).toMatchObject({
      code: 'TOO_MANY_UPLOADS',
      detail: expect.stringContaining('have 2 uploads'),
    });
    const file = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: CSV };
    expect((await gateway.call(IMPORT, { token, ...file })).status).toBe(200);
    await expectOthersAreServed();
  });

  it.each([
    ['as a VIEWER', 'VIEWER', IMPORT, 403, 'ROLE_NOT_ALLOWED'],
    ['to an unknown order', 'VENDOR', IMPORT.replace('PO-1', 'PO-2'), 404, 'PO_NOT_FOUND'],
    ['to an invalid order number', 'VENDOR', IMPORT.replace('PO-1', '-bad-'), 404, 'PO_NOT_FOUND'],
  ])(
    'uploads a file %s: it is refused while the body is still arriving, and others are served',
    async (_as, role, path, ...is) => {
      await start();
      const [status, code] = is;
      const uploads = Array.from({ length: 20 }, () => upload(tokenOf('greedy', role), { path }));
      const answers = await Promise.all(uploads.map(firstOf));
      for (const answer of answers) {
        expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
        expect(problemIn(answer)).toMatchObject({ code });
      }
      await expectOthersAreServed();
    },
  );
});
