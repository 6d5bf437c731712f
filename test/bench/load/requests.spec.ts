import { describe, expect, it } from '@jest/globals';
import { type Request, TransitionRequests, detailRequests, listRequests } from './requests.js';

const actionOf = ({ text }: Request): string =>
  (JSON.parse(text.split('\r\n\r\n')[1] ?? '') as { action: string }).action;
const MAX_CONNECTIONS = 64;

function round(requests: TransitionRequests, connection: number, status: number): Request[] {
  return Array.from({ length: 4 }, () => {
    const request = requests.next(connection);
    request.answered(status);
    return request;
  });
}

describe('the requests of a load', () => {
  it('move each order to and fro', () => {
    const requests = new TransitionRequests('token');
    const rounds = [round(requests, 0, 200), round(requests, 0, 200), round(requests, 0, 200)];
    expect(rounds.map((each) => new Set(each.map(actionOf)))).toEqual([
      new Set(['SUBMIT']),
      new Set(['RECALL']),
      new Set(['SUBMIT']),
    ]);
  });

  it('repeat what was not done, and go on where a lost answer left the order', () => {
    const requests = new TransitionRequests('token');
    round(requests, 0, 503);
    expect(round(requests, 0, 409).map(actionOf)).toEqual(['SUBMIT', 'SUBMIT', 'SUBMIT', 'SUBMIT']);
    expect(round(requests, 0, 200).map(actionOf)).toEqual(['RECALL', 'RECALL', 'RECALL', 'RECALL']);
  });

  it('use no order on two connections', () => {
    const requests = new TransitionRequests('token');
    const used = Array.from({ length: MAX_CONNECTIONS }, (_, connection) => round(requests, connection, 200)).flat();
    expect(new Set(used.map(({ poNumber }) => poNumber)).size).toBe(4 * MAX_CONNECTIONS);
  });

  it('are whole HTTP requests with the length of their body', () => {
    const [head = '', body = ''] = new TransitionRequests('token').next(0).text.split('\r\n\r\n');
    expect(head).toContain('POST /api/purchase-orders/BENCH-00000/transition HTTP/1.1\r\n');
    expect(head).toContain(`content-length: ${body.length}`);
    expect(listRequests('token').next(2).text).toMatch(/^GET \/api\/purchase-orders HTTP.*\r\n\r\n$/s);
    expect(detailRequests('token').next(2).text).toMatch(/^GET \/api\/purchase-orders\/BENCH-00008 .*\r\n\r\n$/s);
  });
});
