import { LOADED_ORDERS, poNumber } from '../orders.js';

/** One order, the first page of the list, or an order's change of status. */
export type LoadKind = 'get' | 'list' | 'transition';

export interface Request {
  /** The whole HTTP/1.1 request. */
  text: string;
  poNumber: string;
  /** Must be told the status of the answer: the next request depends on it. */
  answered: (status: number) => void;
}

/** Builds the next request of one connection. */
export interface Requests {
  next: (connection: number) => Request;
}

/** Orders of each connection: no two connections ever wait for one row. */
const ORDERS_PER_CONNECTION = 4;

const orderOf = (connection: number, sequence: number): string =>
  poNumber((connection * ORDERS_PER_CONNECTION + (sequence % ORDERS_PER_CONNECTION)) % LOADED_ORDERS);

/** A whole HTTP/1.1 request of a user. */
export function requestText(method: string, path: string, token: string, body?: unknown): string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const content = json ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-user-token: ${token}\r\n${content}\r\n${json}`;
}

/** GET of an order's detail, round the connection's own orders. */
export function detailRequests(token: string): Requests {
  const sequences = new Map<number, number>();
  return {
    next: (connection) => {
      const number = orderOf(connection, count(sequences, connection));
      const path = `/api/purchase-orders/${number}`;
      return { text: requestText('GET', path, token), poNumber: number, answered: () => undefined };
    },
  };
}

/** GET of the first page of the list, as many orders as it has when nobody says how many. */
export function listRequests(token: string): Requests {
  const request = { text: requestText('GET', '/api/purchase-orders', token), poNumber: '', answered: () => undefined };
  return { next: () => request };
}

/**
 * The vendor moves the connection's own orders back and forth: SUBMIT from New or In Revision, RECALL from Pending Approval. One
 * instance must live as long as the orders do: it knows where each stands.
 */
export class TransitionRequests implements Requests {
  private readonly submitted = new Set<string>();
  private readonly sequences = new Map<number, number>();

  constructor(private readonly token: string) {}

  next(connection: number): Request {
    const number = orderOf(connection, count(this.sequences, connection));
    const action = this.submitted.has(number) ? 'RECALL' : 'SUBMIT';
    return {
      text: requestText('POST', `/api/purchase-orders/${number}/transition`, this.token, { action }),
      poNumber: number,
      answered: (status) => {
        // 409: an earlier answer was lost, and the order stands where this request would have brought it.
        if ((status >= 200 && status <= 299) || status === 409) this.moved(number, action);
      },
    };
  }

  private moved(number: string, action: string): void {
    if (action === 'SUBMIT') this.submitted.add(number);
    else this.submitted.delete(number);
  }
}

function count(sequences: Map<number, number>, connection: number): number {
  const sequence = sequences.get(connection) ?? 0;
  sequences.set(connection, sequence + 1);
  return sequence;
}
