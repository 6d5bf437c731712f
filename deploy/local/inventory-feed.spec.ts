import { describe, expect, it } from '@jest/globals';
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

async function read(text: string) {
  const found: unknown[] = [];
  for await (const each of readNdjson(text.split(/\r?\n/))) found.push(each);
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

  it('reports every invalid line with number and reason, and keeps the valid ones', async () => {
    const { lines: _lines, ...lineless } = order;
    expect(await read(['{', '[]', JSON.stringify(lineless), '', JSON.stringify(order)].join('\n'))).toEqual([
      { line: 1, reason: expect.stringMatching(/^no JSON: /) },
      { line: 2, reason: 'no JSON object' },
      { line: 3, reason: expect.stringMatching(/^lines: /) },
      expect.objectContaining({ poNumber: 'PO-1' }),
    ]);
  });
});
