import { rowHashOf } from '@po/purchase-orders/dist/inventory/row-hash.js';
import { type Assortment, orderOf } from '#local/generator/orders.js';
import { closedLoop } from '../load/loops.js';
import { type Requests, requestText } from '../load/requests.js';
import type { BenchStack } from '../stack.js';

/** Requests of one kind and their maximum number. */
export interface RequestKind {
  name: string;
  next: Requests;
  most?: number;
}

const LIMIT = 50;
const SORTED = ['id', 'vendor', 'poDate', 'xfDate', 'status', 'amount'];
/** Search terms that match from one order to all: a number, parts of it, a fabric, a colour, a kind of style, digits, and no order. */
const TERMS = ['PO-4600001234', '0123', '牛仔', 'sage', 'KT-', '23', '1', 'PO-4', 'q7x'];
const FLAGS = ['overdue=true', 'hasPendingChanges=false', 'hasPendingChanges=true', 'hasSourceConflict=true'];
/** A buyer of some orders, another sort field, and due orders. */
const BOUGHT = ['buyer=buyer1@brand.example', 'buyer=buyer1@brand.example&sortField=amount', 'due=EX_FACTORY_OVERDUE'];
const FILTERS = ['', ...FLAGS, ...BOUGHT, 'status=New', 'status=Delivered', 'search=sage&status=New'];
/** The vendor with a tenth of all orders, and a small vendor. */
const VENDORS = ['V0001', 'V0400'];
const VENDOR_QUERIES = ['', 'sortField=amount', 'search=sage', 'search=1'];

/** All measured lists and searches. */
export async function lists(stack: BenchStack, assortment: Assortment): Promise<RequestKind[]> {
  const { orders } = assortment;
  const numbers = `poRef=${Array.from({ length: 200 }, (_, index) => orderOf(assortment, 97 * index).poNumber).join()}`;
  const pages = [1, 10, Math.ceil(orders / LIMIT / 2), Math.ceil(orders / LIMIT)];
  const list = (query: string, as: string, token: string): RequestKind => {
    const text = requestText('GET', `/api/purchase-orders?${new URLSearchParams(query)}`, token);
    return { name: `${as}: ${query === numbers ? '200 numbers' : query || 'no filter'}`, next: () => ({ text }) };
  };
  const buyers = [
    ...FILTERS,
    numbers,
    ...SORTED.flatMap((sortField) => pages.map((page) => `sortField=${sortField}&page=${page}`)),
    ...TERMS.map((term) => `search=${term}`),
  ].map((query) => list(query, 'buyer', stack.file.tokens.buyer ?? ''));
  const tokens = await Promise.all(VENDORS.map(async (code) => [code, await stack.vendorToken(code)] as const));
  return [...buyers, ...tokens.flatMap(([code, token]) => VENDOR_QUERIES.map((query) => list(query, code, token)))];
}

/** Lines of each large order. */
const LARGE_ORDER_LINES = 2_000;
/** An approval changes all lines of an order once, so each is measured on another order. */
const APPROVED = 25;

/** Orders of the large vendor, numbered after the others: one for replies, one for transitions, the rest for approvals. */
export function largeOrders(assortment: Assortment): ReturnType<typeof orderOf>[] {
  const count = 2 + APPROVED;
  // An order has at least half of the average number of lines.
  const sizes = { ...assortment, orders: assortment.orders + count, lines: 2 * LARGE_ORDER_LINES, vendors: 1 };
  return Array.from({ length: count }, (_, index) => {
    const more = orderOf(sizes, assortment.orders + index);
    return { ...more, lines: more.lines.slice(0, LARGE_ORDER_LINES) };
  });
}

/** The lookup of actions, which the order service answers from memory, and reads and writes of orders with 2,000 lines. */
export async function writes(stack: BenchStack, assortment: Assortment): Promise<RequestKind[]> {
  const [replied, moved, ...approved] = largeOrders(assortment);
  if (!replied || !moved) throw new Error('there are no large orders');
  const buyer = stack.file.tokens.buyer ?? '';
  const vendor = await stack.vendorToken(replied.vendor.code);
  const path = `/purchase-orders/${replied.poNumber}`;
  const read = (name: string, at: string): RequestKind => {
    const text = requestText('GET', `/api${at}`, buyer);
    return { name, next: () => ({ text }) };
  };
  const transition = (token: string, { poNumber }: { poNumber: string }, action: string) => ({
    text: requestText('POST', `/api/purchase-orders/${poNumber}/transition`, token, { action }),
  });
  const rowHashes = replied.lines.map((line) => rowHashOf(replied.poNumber, line));
  // A different quantity each time, so that every reply is a change; never the imported quantity.
  let qty = 10_000;
  const reply = (count: number): RequestKind => ({
    name: `PATCH ${count} lines of ${LARGE_ORDER_LINES}`,
    next: () => {
      qty += 1;
      const lines = rowHashes.slice(0, count).map((rowHash) => ({ rowHash, vendorReplyQty: qty }));
      return { text: requestText('PATCH', `/api${path}/line-items`, vendor, { lines }) };
    },
  });
  const submits = approved.map((order) => transition(vendor, order, 'SUBMIT'));
  const load = { urls: [stack.url], connections: 1, times: submits.length };
  const { firstError } = await closedLoop(load, () => submits.pop() ?? { text: '' });
  if (firstError !== null) throw new Error(`a SUBMIT was answered ${firstError}`);
  await stack.settled();
  const approvals = approved.map((order) => transition(buyer, order, 'APPROVE'));
  const moves = [transition(vendor, moved, 'SUBMIT'), transition(vendor, moved, 'RECALL')];
  let moveCount = 0;
  return [
    read('transport alone (GET /lookups/actions)', '/lookups/actions?statusId=100&role=BUYER'),
    read(`GET with ${LARGE_ORDER_LINES} lines`, `${path}?include=lineItems`),
    reply(1),
    reply(1_000),
    { name: `SUBMIT, RECALL, ${LARGE_ORDER_LINES} lines`, next: () => moves[moveCount++ % 2] ?? { text: '' } },
    { name: `APPROVE, ${LARGE_ORDER_LINES} lines`, next: () => approvals.pop() ?? { text: '' }, most: APPROVED },
  ];
}
