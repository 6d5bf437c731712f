import type { StackFile } from '#local/stack/stack-file.js';
import { poNumber } from './orders.js';
import type { Side } from './sides.js';

/** Headers that are of the moment or of the connection. */
const PASSING = ['date', 'connection', 'keep-alive'];
const PROBES = [
  { method: 'GET', path: `/api/purchase-orders/${poNumber(0)}`, user: 'buyer' },
  { method: 'GET', path: '/api/purchase-orders/BENCH-UNKNOWN', user: 'buyer' },
  { method: 'GET', path: `/api/purchase-orders/${poNumber(0)}`, user: null },
  {
    method: 'POST',
    path: '/api/purchase-orders/BENCH-UNKNOWN/transition',
    user: 'vendor:ACME',
    body: { action: 'SUBMIT' },
  },
  {
    method: 'POST',
    path: `/api/purchase-orders/${poNumber(0)}/transition`,
    user: 'vendor:ACME',
    body: { action: 'NONE' },
  },
  { method: 'POST', path: `/api/purchase-orders/${poNumber(0)}/transition`, user: 'buyer', body: { action: 'SUBMIT' } },
] as const;

/**
 * Rejects unless every side answers the same requests with the same status, headers and body as the first: sides that do
 * different work cannot be compared. None of the requests changes anything.
 */
export async function requireAlike([first, ...others]: readonly Side[], { tokens }: StackFile): Promise<void> {
  for (const { method, path, user, ...rest } of PROBES) {
    const ask = async (side: Side | undefined) => {
      const response = await fetch(`${side?.url}${path}`, {
        method,
        headers: {
          'x-request-id': 'bench',
          ...(user === null ? {} : { 'x-user-token': tokens[user] ?? '' }),
          ...('body' in rest ? { 'content-type': 'application/json' } : {}),
        },
        ...('body' in rest ? { body: JSON.stringify(rest.body) } : {}),
      });
      // fetch gives them in the order of their names.
      const headers = [...response.headers].filter(([name]) => !PASSING.includes(name));
      return JSON.stringify({ status: response.status, headers, body: await response.text() }, null, 1);
    };
    const expected = await ask(first);
    for (const other of others) {
      const actual = await ask(other);
      if (actual === expected) continue;
      throw new Error(`${method} ${path}: ${first?.name} answers ${expected}, but ${other.name} ${actual}`);
    }
  }
}
