import { STATUS } from '@po/contracts';
import { progress } from '../lifetime.js';
import { type ScaleContext, withOrders } from './context.js';
import { Floors } from './floors.js';
import { HttpClient, type HttpRequest } from './http.js';
import { LARGE_CELLS } from './large-orders.js';
import { type Asked, type RequestRow, measureRequests } from './requests.js';
import { type Subject, type Subjects, chooseSubjects } from './subjects.js';
import { WARM_UP } from './timing.js';

/** As many as one request may change. */
const MANY = 1_000;

interface Tokens {
  buyer: string;
  vendor: string;
}

/** Reads and writes of single orders, of as many cells as the average and of 2,000. */
export async function measureOrders(context: ScaleContext): Promise<RequestRow[]> {
  const { stack, settlement, options, buyerToken, vendorToken } = context;
  progress('choose orders to be written');
  const subjects = await chooseSubjects(settlement.orders, options.assortment);
  const tokens = { buyer: buyerToken, vendor: await vendorToken(subjects.vendorCode) };
  await submitAll(stack.gatewayUrl, tokens.vendor, subjects.approved);
  await settlement.settled();
  return withOrders(context, (databases) =>
    measureRequests(context, ordersAsked(subjects, new Floors(databases), tokens, options.assortment.cells)),
  );
}

async function submitAll(gatewayUrl: string, token: string, subjects: readonly Subject[]): Promise<void> {
  const client = new HttpClient(gatewayUrl, 1);
  for (const subject of subjects) {
    const failure = await client.ask(transition(token, subject, 'SUBMIT'));
    if (failure !== null) throw new Error(`${subject.poNumber} could not be submitted: ${failure}`);
  }
  client.close();
}

/** Those that are approved must be pending by then. */
function ordersAsked(subjects: Subjects, floors: Floors, tokens: Tokens, cells: number): Asked[] {
  const { ordinary, ordinaryInSql, largeReplied, largeMoved, largeInSql, approved } = subjects;
  const large = LARGE_CELLS.toLocaleString('en');
  const replying = (name: string, of: readonly Subject[], inSql: readonly Subject[], count: number): Asked => ({
    name,
    http: (nth) => reply(tokens.vendor, at(of, nth), count, quantityOf(nth)),
    sql: (nth) => floors.reply(at(inSql, nth), count, quantityOf(nth)),
  });
  const moving = (name: string, of: readonly Subject[], inSql: readonly Subject[]): Asked => ({
    name,
    http: (nth) => transition(tokens.vendor, at(of, nth), moveOf(of, nth).action),
    sql: (nth) => {
      const { action, statusId } = moveOf(inSql, nth);
      return floors.transition(at(inSql, nth), action, statusId);
    },
  });
  return [
    {
      name: `GET, ${cells} cells`,
      http: (nth) => detail(tokens.buyer, at(ordinary, nth), ''),
      sql: (nth) => floors.detail(at(ordinary, nth)),
    },
    {
      name: `GET with lines, ${large} cells`,
      http: () => detail(tokens.buyer, largeReplied, '?include=lineItems'),
      sql: () => floors.detailAndCells(largeReplied),
    },
    replying(`PATCH 1 cell of ${cells}`, ordinary, ordinaryInSql, 1),
    replying(`PATCH 1 cell of ${large}`, [largeReplied], [largeInSql], 1),
    replying(`PATCH ${MANY.toLocaleString('en')} cells of ${large}`, [largeReplied], [largeInSql], MANY),
    moving(`SUBMIT, RECALL, ${cells} cells`, ordinary, ordinaryInSql),
    moving(`SUBMIT, RECALL, ${large} cells`, [largeMoved], [largeInSql]),
    {
      name: `APPROVE, ${large} cells`,
      http: (nth) => transition(tokens.buyer, at(approved, nth), 'APPROVE'),
      sql: () => floors.approval(largeInSql),
      most: approved.length - WARM_UP,
    },
  ];
}

const transition = (token: string, { poNumber }: Subject, action: string): HttpRequest => ({
  ...{ method: 'POST', path: `/purchase-orders/${poNumber}/transition`, token },
  body: { action },
});

const detail = (token: string, { poNumber }: Subject, query: string): HttpRequest => ({
  ...{ method: 'GET', path: `/purchase-orders/${poNumber}${query}`, token },
});

const reply = (token: string, { poNumber, rowHashes }: Subject, cells: number, qty: number): HttpRequest => ({
  ...{ method: 'PATCH', path: `/purchase-orders/${poNumber}/line-items`, token },
  body: { lines: rowHashes.slice(0, cells).map((rowHash) => ({ rowHash, vendorReplyQty: qty })) },
});

/** Round the orders, one after another. */
const at = (subjects: readonly Subject[], nth: number): Subject => subjects[nth % subjects.length] as Subject;

/** Another one each time, so that every reply changes what it is given for; none that an order was imported with. */
const quantityOf = (nth: number): number => 10_001 + nth;

/** The first round submits every order, the next one recalls them. */
const moveOf = (subjects: readonly Subject[], nth: number) =>
  Math.floor(nth / subjects.length) % 2 === 0
    ? { action: 'SUBMIT', statusId: STATUS.PENDING_APPROVAL }
    : { action: 'RECALL', statusId: STATUS.IN_REVISION };
