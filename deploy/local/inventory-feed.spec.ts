import { describe, expect, it } from '@jest/globals';
import { parseNdjson } from './inventory-feed.js';

const order = {
  poNumber: 'PO-1',
  sourceRevision: 1,
  poDate: '2026-01-05',
  xfd: '2026-03-01',
  vendor: { code: 'ACME', name: 'Acme' },
  currency: 'USD',
  lines: [{ lineId: '1', code: 'C', style: 'S', color: 'RED', size: 'M', qty: 1, unitPrice: 2 }],
};

describe('an NDJSON file of orders', () => {
  it('becomes one message a line, of the type that its fields say, with the bytes as they are', () => {
    const cancelled = { poNumber: 'PO-2', sourceRevision: 3, reason: 'dropped' };
    const text = `${JSON.stringify({ ...order, own: 1 })}\r\n\n  ${JSON.stringify(cancelled)}\n`;
    expect(parseNdjson(text)).toEqual({
      messages: [
        { type: 'purchase-order.upserted', poNumber: 'PO-1', value: JSON.stringify({ ...order, own: 1 }) },
        { type: 'purchase-order.cancelled', poNumber: 'PO-2', value: JSON.stringify(cancelled) },
      ],
      bad: [],
    });
  });

  it('names every bad line by number and reason, and keeps the good ones', () => {
    const { lines: _lines, ...lineless } = order;
    const text = ['{', '[]', JSON.stringify(lineless), '', JSON.stringify(order)].join('\n');
    const { messages, bad } = parseNdjson(text);
    expect(messages.map(({ poNumber }) => poNumber)).toEqual(['PO-1']);
    expect(bad.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(bad.map(({ reason }) => reason).join('\n')).toMatch(/^no JSON: .*\nno JSON object\nlines: /);
  });
});
