import { describe, expect, it } from '@jest/globals';
import { TransitionRequests, detailRequests } from './requests.js';

/** Sends one request for each of a connection's four orders, all answered alike. */
function round(requests: TransitionRequests, connection: number, status: number) {
  return Array.from({ length: 4 }, () => {
    const { text, poNumber, answered } = requests.next(connection);
    answered(status);
    return { poNumber, action: /"action":"(\w+)"/.exec(text)?.[1] };
  });
}

describe('the requests of a load', () => {
  it('submit and recall each order in turn, repeat what failed, and take a 409 for a lost answer', () => {
    const requests = new TransitionRequests('token');
    const actions = [200, 503, 409, 200].map(
      (status) => new Set(round(requests, 0, status).map(({ action }) => action)),
    );
    expect(actions).toEqual(['SUBMIT', 'RECALL', 'RECALL', 'SUBMIT'].map((action) => new Set([action])));
  });

  it('use no order on two of 64 connections', () => {
    const requests = new TransitionRequests('token');
    const used = Array.from({ length: 64 }, (_, connection) => round(requests, connection, 200)).flat();
    expect(new Set(used.map(({ poNumber }) => poNumber)).size).toBe(4 * 64);
  });

  it('are whole HTTP requests with the length of their body', () => {
    const [head = '', body = ''] = new TransitionRequests('token').next(0).text.split('\r\n\r\n');
    expect(head).toContain('POST /api/purchase-orders/BENCH-00000/transition HTTP/1.1\r\n');
    expect(head).toContain(`content-length: ${body.length}`);
    expect(detailRequests('token').next(2).text).toMatch(/^GET \/api\/purchase-orders\/BENCH-00008 .*\r\n\r\n$/s);
  });
});
