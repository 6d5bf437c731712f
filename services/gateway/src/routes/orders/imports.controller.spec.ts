import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  type ImportChecked,
  type ImportLines,
  type ImportResult,
  PATTERNS,
  type PreviewImport,
  ProblemError,
  TOPICS,
} from '@po/contracts';
import { RequestPattern, type Reply, type RpcContext, ok } from '@po/messaging';
import { expireDeadline, useAdvanceableClock } from '@po/messaging/testing';
import { type RunningGateway, runGateway } from '../../fixtures/gateway.js';
import { LABELS, workbookOf } from '../../fixtures/workbooks.js';

const RESULT: ImportResult = { applied: true, rows: 1, changes: [], errors: [] };
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PATH = '/api/purchase-orders/po-1/line-items/import';
const CSV = 'Row ID,Reply Qty\r\na1,5\r\n';
const MIB = 1024 * 1024;

/** The answer to whether the user may send a file waits for it. */
let checked: Promise<void>;
let imported: { command: ImportLines; context: RpcContext }[];
let previewed: { query: PreviewImport; context: RpcContext }[];

@Controller()
class OrderService {
  @RequestPattern(PATTERNS.checkImport)
  async checkImport(): Promise<Reply<ImportChecked>> {
    await checked;
    return ok({ success: true });
  }

  @RequestPattern(PATTERNS.importLines)
  importLines(@Payload() command: ImportLines, @Ctx() context: RpcContext): Reply<ImportResult> {
    imported.push({ command, context });
    if (command.table.rows[0]?.vendorReplyQty === 'x') {
      const error = { row: 2, column: 'Reply Qty', code: 'INVALID_VALUE', message: 'no', messageZh: '否' };
      throw new ProblemError('IMPORT_INVALID', { errors: [error] });
    }
    return ok(RESULT, { etag: '"4"' });
  }

  @RequestPattern(PATTERNS.previewImport)
  previewImport(@Payload() query: PreviewImport, @Ctx() context: RpcContext): Reply<ImportResult> {
    previewed.push({ query, context });
    return ok({ ...RESULT, applied: false }, { etag: '"3"' });
  }
}

describe('POST /api/purchase-orders/{poRef}/line-items/import', () => {
  let gateway: RunningGateway;
  let token: string;
  beforeAll(async () => {
    useAdvanceableClock();
    gateway = await runGateway({ services: [OrderService], admission: { uploadBytesPerGateway: 16 * MIB } });
    token = gateway.provider.token();
  });
  afterAll(async () => {
    await gateway.stop();
    jest.useRealTimers();
  });
  beforeEach(() => {
    checked = Promise.resolve();
    imported = [];
    previewed = [];
  });

  const send = async (body: string | Buffer, headers: Record<string, string> = {}, path = PATH) => {
    const answer = await gateway.call(path, {
      method: 'POST',
      token,
      body: body as BodyInit,
      headers: { 'content-type': 'text/csv', ...headers },
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  };
  const table = {
    columns: { rowHash: 'Row ID', vendorReplyQty: 'Reply Qty' },
    repeated: [],
    tooMany: null,
    rows: [{ row: 2, rowHash: 'a1', vendorReplyQty: '5', vendorReplyUnitPrice: null }],
  };

  it('sends the content and the hash of the file to the service, with key and condition', async () => {
    const answer = await send(CSV, { 'idempotency-key': 'k-1', 'if-match': '"3"' });
    expect([answer.status, answer.headers.get('etag'), answer.body]).toEqual([200, '"4"', RESULT]);
    const file = createHash('sha256').update(CSV).digest('hex');
    expect(imported).toEqual([
      {
        command: { poRef: 'PO-1', file, table },
        context: expect.objectContaining({
          idempotencyKey: 'k-1',
          idempotencyOrigin: 'client',
          ifMatch: '"3"',
          method: 'POST',
        }),
      },
    ]);
    await send(CSV, {}, `${PATH}?dryRun=false`);
    expect(imported[1]?.context).toMatchObject({ idempotencyOrigin: 'minted', ifMatch: null });
  });

  it('sends a dry run as a query without the key', async () => {
    const answer = await send(CSV, { 'idempotency-key': 'k-1', 'if-match': '"3"' }, `${PATH}?dryRun=true`);
    expect([answer.status, answer.headers.get('etag'), answer.body]).toEqual([
      200,
      '"3"',
      { ...RESULT, applied: false },
    ]);
    expect(previewed).toEqual([
      { query: { poRef: 'PO-1', table }, context: expect.objectContaining({ idempotencyKey: null, ifMatch: '"3"' }) },
    ]);
    expect(imported).toEqual([]);
  });

  it('reads a workbook like a CSV with the same content', async () => {
    const row = '<row r="2"><c r="A2" t="inlineStr"><is><t>a1</t></is></c><c r="B2"><v>5</v></c></row>';
    expect((await send(await workbookOf(LABELS + row), { 'content-type': XLSX })).status).toBe(200);
    const [{ command } = { command: null }] = imported;
    expect(command?.table.rows).toEqual([{ ...table.rows[0], vendorReplyQty: 5 }]);
  });

  it('passes on the errors in the file, in their own shape', async () => {
    const { status, body } = await send('Row ID,Reply Qty\r\na1,x\r\n', { 'accept-language': 'zh' });
    expect([status, body.code, body.errors]).toEqual([
      422,
      'IMPORT_INVALID',
      [expect.objectContaining({ row: 2, messageZh: '否' })],
    ]);
    expect(body.detail).toContain('未应用任何内容');
  });

  it.each(['text/csv', 'text/csv;charset=UTF-8', 'Text/CSV; header=present'])('accepts %s', async (type) => {
    expect((await send(CSV, { 'content-type': type })).status).toBe(200);
  });

  it.each(['application/json', 'text/plain', 'text/csv; charset=gbk', 'application/vnd.ms-excel'])(
    'refuses %s and names the accepted types',
    async (type) => {
      const { status, body } = await send(CSV, { 'content-type': type });
      const detail = `Send text/csv or ${XLSX} without content encoding; text must be in UTF-8.`;
      expect([status, body.code, body.detail]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE', detail]);
    },
  );

  it('accepts 5 MiB and refuses one byte more, with the limit of this operation', async () => {
    // It has more rows than are read, because reading them all would take seconds.
    const exact = Buffer.alloc(5 * MIB, 'a1,5\r\n');
    exact.write(CSV);
    expect((await send(exact)).status).toBe(200);
    const { status, body } = await send(Buffer.concat([exact, Buffer.from('\n')]));
    expect([status, body.code, body.detail]).toEqual([
      413,
      'BODY_TOO_LARGE',
      'The body may be at most 5,242,880 bytes.',
    ]);
    const json = await gateway.call('/api/purchase-orders/PO-1', {
      method: 'PATCH',
      token,
      body: Buffer.alloc(MIB + 1),
      headers: { 'content-type': 'application/json' },
    });
    expect(((await json.json()) as { detail: string }).detail).toBe('The body may be at most 1,048,576 bytes.');
  });

  it.each<[string, string | Buffer, Record<string, string>, string, string, string]>([
    [
      'a file that is not of its type',
      Buffer.from('PK\u0003\u0004\u0000'),
      {},
      PATH,
      'BAD_REQUEST',
      'must be text in UTF-8',
    ],
    ['a CSV sent as a workbook', CSV, { 'content-type': XLSX }, PATH, 'BAD_REQUEST', 'not an Excel workbook'],
    ['an empty body', '', {}, PATH, 'BAD_REQUEST', 'must be text in UTF-8'],
    [
      'an invalid poRef, before the file is read',
      Buffer.from([0]),
      {},
      PATH.replace('po-1', '-bad-'),
      'PO_NOT_FOUND',
      'no such purchase order',
    ],
    ['an invalid dryRun', CSV, {}, `${PATH}?dryRun=yes`, 'VALIDATION_FAILED', 'errors[]'],
    ['an invalid If-Match', CSV, { 'if-match': '3' }, PATH, 'VALIDATION_FAILED', 'errors[]'],
  ])('refuses %s', async (_what, body, headers, path, code, sentence) => {
    const answer = await send(body, headers, path);
    expect([answer.body.code, answer.body.detail]).toEqual([code, expect.stringContaining(sentence)]);
    expect([imported, previewed]).toEqual([[], []]);
  });

  it('reports an unreadable file in Chinese to a client that prefers it', async () => {
    const { body } = await send('x', { 'content-type': XLSX, 'accept-language': 'zh' });
    expect(body).toMatchObject({ code: 'BAD_REQUEST', detail: '该文件不是 xlsx 工作簿。请发送 .xlsx 工作簿。' });
  });

  it('answers 503 with Retry-After if the check before the upload gets no reply, and sends no import', async () => {
    const check = Promise.withResolvers<void>();
    checked = check.promise;
    const queries = () => gateway.kafka.records(TOPICS.queries).length;
    const before = queries();
    const { status, headers, body } = await expireDeadline(send(CSV), () => queries() > before);
    check.resolve();
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '2', 'UNAVAILABLE']);
    expect(imported).toEqual([]);
  });

  it('releases the bytes of files that are refused or read', async () => {
    const garbage = Buffer.alloc(5 * MIB, 'x');
    const tooLarge = Buffer.concat([garbage, Buffer.from('x')]);
    // More in total than may be held at a time, but not much: each is 5 MiB through both ends of a connection in this process.
    for (let sent = 0; sent < 4; sent += 1) expect((await send(garbage, { 'content-type': XLSX })).status).toBe(400);
    for (let sent = 0; sent < 4; sent += 1) expect((await send(tooLarge)).status).toBe(413);
    expect((await send(CSV)).status).toBe(200);
  });
});
