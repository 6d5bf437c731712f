import { rowHashOf } from '@po/purchase-orders/dist/inventory/row-hash.js';
import { type Assortment, orderOf } from '#local/generator/orders.js';
import { type Random, randomOf } from '#local/generator/random.js';
import { quantilesOf } from '../report.js';
import { type Answer, Connection } from './connection.js';
import { type Rate, atConstantRate } from './loops.js';
import { Negotiations } from './negotiations.js';
import { requestText } from './requests.js';

/** The orders of a mixed load, and tokens of buyers and, by code, of all vendors. */
export interface MixTarget {
  assortment: Assortment;
  buyers: readonly [string, ...string[]];
  vendors: Readonly<Record<string, string>>;
}

interface MixedRequest {
  /** The whole HTTP/1.1 request. */
  text: string;
  /** Must be called with the answer; null when there was none. */
  answered: (answer: Answer | null) => void;
}

const PAGE = 50;
const SORTS = ['id', 'vendor', 'poDate', 'xfDate', 'status', 'amount'] as const;
const TERMS = ['sage', '牛仔', 'KT-', 'NVY'] as const;
const OWN = ['/notifications?limit=20', '/dashboard/kpis', '/dashboard/recent-activity', '/me'] as const;
/** The newest orders are written: few enough for each to have many rounds in one run. */
const NEGOTIATED = 1_000;
const TRIES = 50;

/** Each kind of request with its percentage, which make a hundred; drawn alike for the same seed and answers. */
function kindsOf({ assortment, buyers, vendors }: MixTarget, random: Random) {
  const negotiations = new Negotiations((index) => {
    const { poNumber, lines } = orderOf(assortment, index);
    return lines.map((line) => rowHashOf(poNumber, line));
  });
  const codes = Object.keys(vendors);
  const tokenOf = (code: string) => {
    const token = vendors[code];
    if (token === undefined) throw new Error(`there is no user of vendor ${code}`);
    return token;
  };
  /** A buyer or the vendor. */
  const readerOf = (code: string) => (random.next() < 0.5 ? random.one(buyers) : tokenOf(code));
  const read = (path: string, vendor = codes[random.between(0, codes.length - 1)] ?? ''): MixedRequest => ({
    text: requestText('GET', `/api${path}`, readerOf(vendor)),
    answered: () => undefined,
  });
  const order = () => {
    const { poNumber, vendor } = orderOf(assortment, random.between(0, assortment.orders - 1));
    return read(`/purchase-orders/${poNumber}${random.next() < 0.25 ? '?include=lineItems' : ''}`, vendor.code);
  };
  const page = () => {
    const number = random.between(1, Math.ceil(assortment.orders / PAGE));
    return read(`/purchase-orders?page=${number}&limit=${PAGE}&sortField=${random.one(SORTS)}`);
  };
  const search = () => {
    const term = random.next() < 0.5 ? String(random.between(1_000, 9_999)) : random.one(TERMS);
    return read(`/purchase-orders?search=${encodeURIComponent(term)}`);
  };
  const write = (): MixedRequest => {
    let [index, next]: [number, ReturnType<Negotiations['next']>] = [0, null];
    // Passes over orders with a write in flight.
    for (let tries = 0; !next && tries < TRIES; tries += 1) {
      index = assortment.orders - random.between(1, Math.min(NEGOTIATED, assortment.orders));
      next = negotiations.next(index);
    }
    if (!next) return order();
    const { done } = next;
    const { by, method, path, body } = next.write;
    const { poNumber, vendor } = orderOf(assortment, index);
    const token = by === 'buyer' ? random.one(buyers) : tokenOf(vendor.code);
    return {
      text: requestText(method, `/api/purchase-orders/${poNumber}${path}`, token, body),
      answered: (answer) => done(answer?.status ?? 0, answer?.body.toString('utf8') ?? ''),
    };
  };
  return [
    { kind: 'GET one order', percent: 55, next: order },
    { kind: 'list page', percent: 20, next: page },
    { kind: 'search', percent: 5, next: search },
    { kind: 'inbox and dashboard', percent: 5, next: () => read(random.one(OWN)) },
    { kind: 'write', percent: 15, next: write },
  ];
}

/** More than are ever in flight at the rates that one machine bears. */
const LANES = 256;

/** Sends requests of all kinds at a constant rate (open loop). Latencies are of 2xx answers, from when each request was due. */
export async function mixedLoad(url: URL, rate: Rate, target: MixTarget) {
  const random = randomOf(target.assortment.seed, 4);
  const kinds = kindsOf(target, random).map((each) => ({ ...each, latencies: [] as number[] }));
  const statuses: Record<string, number> = {};
  const failures: string[] = [];
  const connections = Array.from({ length: LANES }, () => new Connection(url));
  await atConstantRate(rate, LANES, async ({ lane, dueAt }) => {
    let left = random.between(0, 99);
    const drawn = kinds.find(({ percent }) => (left -= percent) < 0);
    if (!drawn) throw new Error('the percentages make less than a hundred');
    const { text, answered } = drawn.next();
    const answer = await (connections[lane] as Connection).exchange(text).catch((error: Error) => error);
    const isError = answer instanceof Error;
    answered(isError ? null : answer);
    const status = isError ? 'none' : answer.status;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (typeof status === 'number' && status >= 200 && status <= 299) {
      drawn.latencies.push(performance.now() - dueAt);
    } else if (status !== 409) {
      // 409 is no failure: the order has changed since, as it does by a newer revision.
      const reason = isError ? answer.message : answer.body.toString('utf8', 0, 300);
      failures.push(`${status}, ${text.split(' HTTP', 1)[0]}: ${reason}`);
    }
  });
  for (const connection of connections) connection.close();
  const row = (what: string, times: readonly number[]) => ({ what, '2xx': times.length, ...quantilesOf(times) });
  const all = kinds.flatMap(({ latencies }) => latencies);
  const rows = [...kinds.map(({ kind, latencies }) => row(kind, latencies)), row('all', all)];
  return { rows, statuses, failed: failures.length, firstFailure: failures[0] ?? null };
}
