import { STATUS } from '@po/contracts';
import { rowHashOf } from '@po/purchase-orders/dist/inventory/row-hash.js';
import { type Assortment, orderOf } from '#local/generator/orders.js';
import { randomOf } from '#local/generator/random.js';
import { type Rate, failureOf, openLoop } from '../load/loops.js';
import { type Request, requestText } from '../load/requests.js';
import { quantilesOf } from '../report.js';

/** Orders of a mixed load, with tokens of buyers and, by code, of all vendors. */
interface Mix {
  assortment: Assortment;
  buyers: readonly [string, ...string[]];
  vendors: ReadonlyMap<string, string>;
}

const PAGE = 50;
const SORTS = ['id', 'vendor', 'poDate', 'xfDate', 'status', 'amount'] as const;
const TERMS = ['sage', '牛仔', 'KT-', 'NVY'] as const;
const OWN = ['/notifications?limit=20', '/dashboard/kpis', '/dashboard/recent-activity', '/me'] as const;
/** Number of newest orders that are written: few, so that each has many rounds in one run. */
const NEGOTIATED = 1_000;
/** Share of each kind in percent. */
const SHARES = { 'GET one order': 55, 'list page': 20, search: 5, 'inbox and dashboard': 5, write: 15 };
type Kind = keyof typeof SHARES;
const KINDS = Object.keys(SHARES) as Kind[];

/** A negotiation in a loop: each step leaves the order in a status that allows the next step. */
const ROUND = ['header', 'line', 'SUBMIT', 'REJECT', 'header', 'line', 'SUBMIT', 'APPROVE', 'RECALL'] as const;
const BUYERS: readonly string[] = ['REJECT', 'APPROVE', 'RECALL'];
/** Step at which a round continues after a 409: a newer revision was imported, or an earlier answer was lost. */
const STEP_OF: Partial<Record<number, number>> = { [STATUS.PENDING_APPROVAL]: 3, [STATUS.CONFIRMED]: 8 };

/** Builds the requests of a mix, deterministic for a seed and the answers. */
function mixedRequests({ assortment, buyers, vendors }: Mix): () => Request & { kind: Kind } {
  const random = randomOf(assortment.seed, 4);
  const { orders } = assortment;
  const tokenOf = ({ code }: { code: string }) => vendors.get(code) ?? '';
  const busy = new Set<number>();
  const steps = new Map<number, number>();

  const read = (kind: Exclude<Kind, 'write'>) => {
    const { poNumber, vendor } = orderOf(assortment, random.between(0, orders - 1));
    const term = random.next() < 0.5 ? String(random.between(1_000, 9_999)) : random.one(TERMS);
    const page = random.between(1, Math.ceil(orders / PAGE));
    const paths = {
      'GET one order': `/purchase-orders/${poNumber}${random.next() < 0.25 ? '?include=lineItems' : ''}`,
      'list page': `/purchase-orders?page=${page}&limit=${PAGE}&sortField=${random.one(SORTS)}`,
      search: `/purchase-orders?search=${encodeURIComponent(term)}`,
      'inbox and dashboard': random.one(OWN),
    };
    const token = random.next() < 0.5 ? random.one(buyers) : tokenOf(vendor);
    return { kind, text: requestText('GET', `/api${paths[kind]}`, token) };
  };

  const write = () => {
    const index = orders - random.between(1, Math.min(NEGOTIATED, orders));
    // Another write of this order is in flight.
    if (busy.has(index)) return read('GET one order');
    busy.add(index);
    const step = steps.get(index) ?? 0;
    const action = ROUND[step] ?? 'header';
    const { poNumber, vendor, lines } = orderOf(assortment, index);
    const path = `/api/purchase-orders/${poNumber}`;
    const token = BUYERS.includes(action) ? random.one(buyers) : tokenOf(vendor);
    const comment = `comment ${random.between(0, 999)}`;
    const texts = {
      header: () => requestText('PATCH', path, token, { vendor_reply_comment: comment }),
      line: () => {
        const rowHash = rowHashOf(poNumber, random.one(lines as [(typeof lines)[number]]));
        return requestText('PATCH', `${path}/line-items`, token, {
          lines: [{ rowHash, vendorReplyQty: random.between(10, 99) }],
        });
      },
      move: () => requestText('POST', `${path}/transition`, token, { action, comment }),
    };
    const answered = (status: number, body: string) => {
      busy.delete(index);
      if (status >= 200 && status <= 299) steps.set(index, (step + 1) % ROUND.length);
      if (status !== 409) return;
      const { currentStatusId = 0 } = JSON.parse(body) as { currentStatusId?: number };
      steps.set(index, STEP_OF[currentStatusId] ?? 0);
    };
    return {
      kind: 'write' as const,
      text: texts[action === 'header' || action === 'line' ? action : 'move'](),
      answered,
    };
  };

  return () => {
    let left = random.between(0, 99);
    const kind = KINDS.find((each) => (left -= SHARES[each]) < 0) ?? 'write';
    return kind === 'write' ? write() : read(kind);
  };
}

/** Sends requests of all kinds at a constant rate. Latencies of 2xx answers count from the due time. */
export async function mixedLoad(url: string, { perSecond, seconds }: Rate, mix: Mix) {
  const latencies = new Map(KINDS.map((kind) => [kind, [] as number[]]));
  const statuses: Record<string, number> = {};
  const failures: string[] = [];
  const load = { url, perSecond, isOver: (sent: number) => sent >= perSecond * seconds };
  await openLoop(load, mixedRequests(mix), ({ request, answer, dueAt, answeredAt }) => {
    const status = answer instanceof Error ? 'none' : answer.status;
    statuses[status] = (statuses[status] ?? 0) + 1;
    const failure = failureOf(answer);
    if (failure === null) latencies.get(request.kind)?.push(answeredAt - dueAt);
    // 409 is not a failure: a newer revision has changed the order.
    else if (status !== 409) failures.push(`${request.text.split(' HTTP', 1)[0]}: ${failure}`);
  });
  const rows = [...latencies].map(([what, times]) => ({ what, '2xx': times.length, ...quantilesOf(times) }));
  return { rows, statuses, failures };
}
