import { setTimeout as delay } from 'node:timers/promises';
import { DUE, OLDEST_DUE } from '@po/purchase-orders/dist/reminders/due-reminders.js';
import { eventually } from '@po/testing/eventually';
import { progress } from '../lifetime.js';
import { failureOf, openLoop } from '../load/loops.js';
import { loadsOf } from '../load/requests.js';
import { LOADED_ORDERS, importLoadedOrders, poNumber } from '../orders.js';
import { type OptionsOf, wholeNumber } from '../options.js';
import { type Report, quantilesOf } from '../report.js';
import { BenchStack } from '../stack.js';

/** Duration of the load before and after the due time; reminders created later are not measured. */
const QUIET_S = 15;
const MAX_S = 300;
const BATCH = 100;

/** `--due` of `--open` orders become due at the same time; `--services` order services; `--rate` transitions per second. */
export const OPTIONS = {
  open: wholeNumber(20_000, 1, 10_000_000),
  due: wholeNumber(10_000, 1, 1_000_000),
  services: wholeNumber(1, 1, 12),
  rate: wholeNumber(50, 1, 500),
};

/** Rate at which simultaneous reminders are created, their effect on writes, and the cost of a poll that finds none. */
export async function measure({ open, due, services, rate }: OptionsOf<typeof OPTIONS>): Promise<Report> {
  const stack = await BenchStack.start(services);
  await stack.resize(1, services);
  progress(`import orders, and copy one ${open} times`);
  await importLoadedOrders(stack, LOADED_ORDERS + 1);
  await stack.orders.query(
    `INSERT INTO purchase_orders OVERRIDING SYSTEM VALUE
     SELECT (jsonb_populate_record(o, jsonb_build_object('id', 1000000 + n, 'po_number', 'COPY-' || n))).*
       FROM purchase_orders o, generate_series(1, $1::integer) n WHERE o.po_number = $2`,
    [open, poNumber(LOADED_ORDERS)],
  );
  await stack.orders.query('VACUUM ANALYZE purchase_orders');
  const [{ generation } = { generation: 0 }] = (
    await stack.orders.query<{ generation: number }>(
      'SELECT max(reminders_generation) AS generation FROM purchase_orders',
    )
  ).rows;
  const looks = [
    await look(stack, 'for a batch', DUE.text, [generation, new Date(), [], BATCH]),
    await look(stack, 'for the oldest', OLDEST_DUE.text, [generation, new Date()]),
  ];

  progress(`${rate} transitions a second`);
  const transitions = loadsOf(stack.file).transition;
  const answers: { at: number; ms: number }[] = [];
  let errors = 0;
  let isOver = false;
  const load = openLoop(
    { url: stack.url, perSecond: rate, isOver: (sent) => isOver || sent >= rate * MAX_S },
    transitions,
    (each) => {
      if (failureOf(each.answer) === null) answers.push({ at: each.dueAt, ms: each.answeredAt - each.dueAt });
      else errors += 1;
    },
  );
  await delay(QUIET_S * 1000);
  progress(`${due} reminders become due`);
  const dueAt = performance.now();
  // Due times of a status that orders entered two weeks ago.
  await stack.orders.query(
    `UPDATE purchase_orders SET waiting_since = now() - interval '14 days', waiting_next_due_at = now() - interval '1 hour'
      WHERE po_number LIKE 'COPY-%' AND id IN (SELECT id FROM purchase_orders ORDER BY id DESC LIMIT $1)`,
    [due],
  );
  const createdAt = await allCreated(stack, due);
  await allNotified(stack, due);
  const settledAt = performance.now();
  await delay(QUIET_S * 1000);
  isOver = true;
  await load;
  const phases: [string, number, number][] = [
    ['before', dueAt - 1000 * (QUIET_S - 5), dueAt],
    ['reminders are created', createdAt.first, createdAt.last],
    ['and users notified', createdAt.last, settledAt],
    ['afterwards', settledAt, Infinity],
  ];
  const seconds = (createdAt.last - createdAt.first) / 1000;
  return {
    tables: [
      { title: `A look among ${open} open orders of which none is due`, rows: looks },
      {
        title: `${due} reminders that are due at the same time, by ${services} order services: created a second, seconds until every user has theirs`,
        rows: [
          { seconds, 'a second': createdAt.left / seconds, 'until notified': (settledAt - createdAt.first) / 1000 },
        ],
      },
      {
        title: `${rate} transitions a second, ms from when each was due`,
        rows: phases.map(([phase, from, to]) => {
          const latencies = answers.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms);
          return { phase, requests: latencies.length, ...quantilesOf(latencies) };
        }),
      },
    ],
    notes: [`Transitions that failed: ${errors}`],
  };
}

async function look({ orders }: BenchStack, what: string, text: string, values: unknown[]): Promise<object> {
  const [row] = (
    await orders.query<{ 'QUERY PLAN': Plan[] }>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values)
  ).rows;
  const [plan] = row?.['QUERY PLAN'] ?? [];
  if (!plan) throw new Error('there is no plan');
  return {
    what,
    ms: plan['Planning Time'] + plan['Execution Time'],
    pages: plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks'],
  };
}

interface Plan {
  Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>;
  'Planning Time': number;
  'Execution Time': number;
}

interface Created {
  /** Times at which the first and the last were seen to be created (`performance.now()`). */
  first: number;
  last: number;
  /** Number that were left at `first`. */
  left: number;
}

/** Resolves when all of these reminders are created. */
async function allCreated({ orders }: BenchStack, due: number): Promise<Created> {
  let first: Pick<Created, 'first' | 'left'> | undefined;
  const created = async () => {
    const { rows } = await orders.query<{ left: number }>(
      `SELECT count(*)::int AS "left" FROM purchase_orders WHERE po_number LIKE 'COPY-%' AND waiting_next_due_at < now()`,
    );
    const [{ left } = { left: due }] = rows;
    const at = performance.now();
    if (left < due) first ??= { first: at, left };
    return left === 0 && first ? { ...first, last: at } : delay(250, false as const);
  };
  return eventually(`${due} reminders are created`, created, { timeoutMs: MAX_S * 1000 });
}

/** Resolves when the reminders of these orders are in the inboxes. Consumer lag never reaches 0 while orders change. */
const allNotified = ({ notifications }: BenchStack, due: number) =>
  eventually(
    `${due} reminders are in inboxes`,
    async () => {
      const { rows } = await notifications.query<{ count: number }>(
        "SELECT count(*)::int FROM transitions WHERE po_ref LIKE 'COPY-%'",
      );
      return (rows[0]?.count ?? 0) >= due || delay(500, false as const);
    },
    { timeoutMs: MAX_S * 1000 },
  );
