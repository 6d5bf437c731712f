import { STATUS } from '@po/contracts';
import { progress } from '../lifetime.js';
import { Connection } from '../load/connection.js';
import { WARM_UP } from '../load/loops.js';
import { requestText } from '../load/requests.js';
import {
  type HttpRequest,
  type Measurement,
  type RequestRow,
  type ScaleContext,
  measureRequests,
  withOrders,
} from './context.js';
import { Floors } from './floors.js';
import { LARGE_CELLS, type Subject, type Subjects, chooseSubjects } from './subjects.js';

/** The most lines that one request may change. */
const MANY = 1_000;

interface Tokens {
  buyer: string;
  vendor: string;
}

/** Reads and writes of single orders, of as many lines as the average and of 2,000. */
export async function measureOrders(context: ScaleContext): Promise<RequestRow[]> {
  const { stack, assortment } = context;
  progress('choose orders to be written');
  const subjects = await chooseSubjects(stack.orders, assortment);
  const tokens = { buyer: stack.file.tokens.buyer ?? '', vendor: await stack.vendorToken(subjects.vendorCode) };
  const connection = new Connection(new URL(stack.url));
  for (const subject of subjects.approved) {
    const { method, path, token, body } = transition(tokens.vendor, subject, 'SUBMIT');
    const { status } = await connection.exchange(requestText(method, `/api${path}`, token, body));
    if (status !== 200) throw new Error(`SUBMIT of ${subject.poNumber} was answered ${status}`);
  }
  connection.close();
  await stack.settled();
  return withOrders(context, (databases) =>
    measureRequests(context, measurementsOf(subjects, new Floors(databases), tokens, assortment.cells)),
  );
}

function measurementsOf(subjects: Subjects, floors: Floors, tokens: Tokens, cells: number): Measurement[] {
  const { ordinary, ordinaryInSql, largeReplied, largeMoved, largeInSql, approved } = subjects;
  const large = LARGE_CELLS.toLocaleString('en');
  const replying = (name: string, of: readonly Subject[], inSql: readonly Subject[], count: number): Measurement => ({
    name,
    http: (nth) => reply(tokens.vendor, at(of, nth), count, quantityOf(nth)),
    sql: (nth) => floors.reply(at(inSql, nth), count, quantityOf(nth)),
  });
  const moving = (name: string, of: readonly Subject[], inSql: readonly Subject[]): Measurement => ({
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
  method: 'POST',
  path: `/purchase-orders/${poNumber}/transition`,
  token,
  body: { action },
});

const detail = (token: string, { poNumber }: Subject, query: string): HttpRequest => ({
  method: 'GET',
  path: `/purchase-orders/${poNumber}${query}`,
  token,
});

const reply = (token: string, { poNumber, rowHashes }: Subject, cells: number, qty: number): HttpRequest => ({
  method: 'PATCH',
  path: `/purchase-orders/${poNumber}/line-items`,
  token,
  body: { lines: rowHashes.slice(0, cells).map((rowHash) => ({ rowHash, vendorReplyQty: qty })) },
});

/** Each order in turn. */
const at = (subjects: readonly Subject[], nth: number): Subject => subjects[nth % subjects.length] as Subject;

/** Another one each time, so that every reply changes something; none is an imported quantity. */
const quantityOf = (nth: number): number => 10_001 + nth;

/** The first round submits every order, the next one recalls them. */
const moveOf = (subjects: readonly Subject[], nth: number) =>
  Math.floor(nth / subjects.length) % 2 === 0
    ? { action: 'SUBMIT', statusId: STATUS.PENDING_APPROVAL }
    : { action: 'RECALL', statusId: STATUS.IN_REVISION };
