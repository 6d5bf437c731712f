import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readNdjson } from './inventory-feed.js';

const order = {
  poNumber: 'PO-1',
  sourceRevision: 1,
  poDate: '2026-01-05',
  xfd: '2026-03-01',
  vendor: { code: 'ACME', name: 'Acme' },
  currency: 'USD',
  lines: [{ lineId: '1', code: 'C', style: 'S', color: 'RED', size: 'M', qty: 1, unitPrice: 2 }],
};

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-feed-'));
});
afterEach(() => rm(dir, { recursive: true }));

async function read(content: string | Buffer) {
  const path = join(dir, 'orders.ndjson');
  await writeFile(path, content);
  const file = await open(path);
  const found: unknown[] = [];
  for await (const each of readNdjson(file)) found.push(each);
  await file.close();
  return found;
}

describe('an NDJSON file of orders', () => {
  it('becomes one message per line, with its type derived from the fields and unchanged bytes', async () => {
    const cancelled = { poNumber: 'PO-2', sourceRevision: 3, reason: 'dropped' };
    const text = `${JSON.stringify({ ...order, own: 1 })}\r\n\n  ${JSON.stringify(cancelled)}\n`;
    expect(await read(text)).toEqual([
      { type: 'purchase-order.upserted', poNumber: 'PO-1', value: JSON.stringify({ ...order, own: 1 }) },
      { type: 'purchase-order.cancelled', poNumber: 'PO-2', value: JSON.stringify(cancelled) },
    ]);
  });

  it('yields every invalid line with its number and reason, and still the valid ones', async () => {
    const { lines: _lines, ...lineless } = order;
    const partial = { poNumber: 'PO-1', sourceRevision: 2, xfd: '2027-04-01' };
    expect(
      await read(['{', '[]', JSON.stringify(lineless), JSON.stringify(partial), '', JSON.stringify(order)].join('\n')),
    ).toEqual([
      { line: 1, reason: expect.stringMatching(/^not valid JSON: /) },
      { line: 2, reason: 'not a JSON object' },
      { line: 3, reason: '/lines is required' },
      { line: 4, reason: '/poDate is required; /vendor is required; /currency is required; /lines is required' },
      expect.objectContaining({ poNumber: 'PO-1' }),
    ]);
  });

  it('is not split at other Unicode line separators, which a JSON string may contain', async () => {
    const text = { ...order, remarks: 'one\u2028two\u2029three\u0085four, 五' };
    const value = JSON.stringify(text);
    expect(await read(`\uFEFF${value}\r\n${value}\n`)).toEqual([
      { type: 'purchase-order.upserted', poNumber: 'PO-1', value },
      { type: 'purchase-order.upserted', poNumber: 'PO-1', value },
    ]);
  });

  it('yields a line that is not UTF-8 as invalid instead of replacing characters', async () => {
    const [before = '', after = ''] = JSON.stringify({ ...order, remarks: '??' }).split('??');
    const gbk = Buffer.concat([Buffer.from(before), Buffer.from([0xd6, 0xd0]), Buffer.from(after)]);
    expect(await read(Buffer.concat([gbk, Buffer.from(`\n${JSON.stringify(order)}\n`)]))).toEqual([
      { line: 1, reason: expect.stringContaining('UTF-8') },
      expect.objectContaining({ poNumber: 'PO-1' }),
    ]);
  });
});
