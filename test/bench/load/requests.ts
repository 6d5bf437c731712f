import type { StackFile } from '#local/stack/stack-file.js';
import { LOADED_ORDERS, poNumber } from '../orders.js';

export interface Request {
  /** Complete HTTP/1.1 request. */
  text: string;
  /** PO number of the order. */
  poNumber?: string;
  /** Receives the answer, because the next request depends on it. */
  answered?: (status: number, body: string) => void;
}

/** Builds the next request of one connection. */
export type Requests = (connection: number) => Request;

/** Orders per connection. Connections do not share orders, so no two wait for one row. */
const ORDERS_PER_CONNECTION = 4;
export const MAX_CONNECTIONS = LOADED_ORDERS / ORDERS_PER_CONNECTION;

/** A complete HTTP/1.1 request of a user. */
export function requestText(method: string, path: string, token: string, body?: unknown): string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const content = json ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-user-token: ${token}\r\n${content}\r\n${json}`;
}

/** Reads the connection's own orders in turn. */
function ordersInTurn(): (connection: number) => string {
  const sequences = new Map<number, number>();
  return (connection) => {
    const sequence = sequences.get(connection) ?? 0;
    sequences.set(connection, sequence + 1);
    return poNumber((connection * ORDERS_PER_CONNECTION + (sequence % ORDERS_PER_CONNECTION)) % LOADED_ORDERS);
  };
}

/**
 * The vendor moves the connection's own orders back and forth: SUBMIT from New or In Revision, RECALL from Pending Approval. One
 * instance must live as long as the orders, because it tracks their statuses.
 */
function transitionRequests(token: string): Requests {
  const next = ordersInTurn();
  const submitted = new Set<string>();
  return (connection) => {
    const number = next(connection);
    const action = submitted.has(number) ? 'RECALL' : 'SUBMIT';
    return {
      text: requestText('POST', `/api/purchase-orders/${number}/transition`, token, { action }),
      poNumber: number,
      answered: (status) => {
        // 409: an earlier answer was lost, and the order already has the status that this request would give it.
        if ((status < 200 || status > 299) && status !== 409) return;
        if (action === 'SUBMIT') submitted.add(number);
        else submitted.delete(number);
      },
    };
  };
}

/** One order, the first page of the list, or a status change. */
export type Loads = Record<'get' | 'list' | 'transition', Requests>;

export function loadsOf({ tokens: { buyer = '', 'vendor:ACME': vendor = '' } }: StackFile): Loads {
  const next = ordersInTurn();
  const get = (number: string) => ({ text: requestText('GET', `/api/purchase-orders${number}`, buyer) });
  return {
    get: (connection) => get(`/${next(connection)}`),
    list: () => get(''),
    transition: transitionRequests(vendor),
  };
}
