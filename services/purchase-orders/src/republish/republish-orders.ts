import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@po/database';
import { isPermanent } from '@po/messaging';
import type { Logger } from '@po/platform';
import { restateOrder } from './restate-order.js';

export interface RepublishOptions {
  logger: Logger;
  /** What the version of every order is raised to, unless it is that high already. */
  leastVersion?: number;
  /** Orders between two looks at the outbox. */
  batchSize?: number;
  /** Rows that may wait in the outbox when the next batch is added. */
  backlog?: number;
  /** Milliseconds without any progress of the relay after which it is given up. */
  patienceMs?: number;
}

const BATCH_SIZE = 100;
/** What the relay publishes in a second or so: changes of users wait behind no more than that. */
const BACKLOG = 500;
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 100;
const USAGE = 'usage: republish <poRef>… | --all | --restored';
const OF_ALL = ['--all', '--restored'];
const VERSIONS_SINCE = Date.UTC(2020, 0);

/** What a command line asks for. Throws, saying what is allowed, when it is nothing. */
export function parseArguments(
  args: readonly string[],
  now: number,
): { selection: 'all' | string[]; leastVersion?: number } {
  const [first] = args;
  if (first === undefined) throw new Error(USAGE);
  const options = args.filter((arg) => arg.startsWith('-'));
  const unknown = options.filter((option) => !OF_ALL.includes(option));
  if (unknown.length > 0) throw new Error(`unknown option ${unknown.join(', ')}; ${USAGE}`);
  if (options.length === 0) return { selection: [...new Set(args.map((poNumber) => poNumber.toUpperCase()))] };
  if (args.length > 1) throw new Error(`${options[0]} stands alone; ${USAGE}`);
  return { selection: 'all', ...(first === '--restored' ? { leastVersion: versionAfterRestore(now) } : {}) };
}

/**
 * Above every version that was ever published: an order gets fewer than one change a second, over all the time since it came or since its
 * version was raised last. The seconds since 2020, which the column can take until 2088.
 */
const versionAfterRestore = (now: number): number => Math.floor((now - VERSIONS_SINCE) / 1000);

/**
 * Puts the present state of orders into the outbox anew, batch by batch, waiting for the service's relay in between. The same version
 * is the same event with the same `ce_id`: twice changes nothing. Answers how many were put there, which are unknown, and which cannot be
 * put there: they hold up no other.
 */
export async function republishOrders(
  database: Database,
  selection: 'all' | readonly string[],
  options: RepublishOptions,
): Promise<{ republished: number; unknown: string[]; failed: string[] }> {
  const { logger, leastVersion, batchSize = BATCH_SIZE } = options;
  const found = new Set<string>();
  const failed: string[] = [];
  let republished = 0;
  let after = '';
  for (;;) {
    const batch = await nextBatch(database, selection, after, batchSize);
    const last = batch.at(-1);
    if (last === undefined) break;
    await roomInOutbox(database, options, republished);
    for (const poNumber of batch) {
      try {
        await restateOrder({ internal: database }, poNumber, leastVersion);
        republished += 1;
      } catch (error) {
        if (!isPermanent(error)) throw error;
        failed.push(poNumber);
        logger.error({ err: error, order: poNumber }, 'an order could not be written to the outbox; others go on');
      }
    }
    after = last;
    if (selection !== 'all') for (const poNumber of batch) found.add(poNumber);
    logger.info({ republished, last }, 'orders written to the outbox');
  }
  const unknown = selection === 'all' ? [] : selection.filter((poNumber) => !found.has(poNumber));
  return { republished, unknown, failed };
}

async function nextBatch(
  database: Database,
  selection: 'all' | readonly string[],
  after: string,
  batchSize: number,
): Promise<string[]> {
  const chosen = selection === 'all' ? 'true' : 'po_number = ANY($3)';
  const { rows } = await database.connectionPool.query<{ po_number: string }>(
    `SELECT po_number FROM purchase_orders WHERE po_number > $1 AND ${chosen} ORDER BY po_number LIMIT $2`,
    [after, batchSize, ...(selection === 'all' ? [] : [selection])],
  );
  return rows.map(({ po_number: poNumber }) => poNumber);
}

async function roomInOutbox(
  database: Database,
  { backlog = BACKLOG, patienceMs = PATIENCE_MS }: RepublishOptions,
  republished: number,
): Promise<void> {
  let lowest = Infinity;
  let oldest: string | null = null;
  let movedAt = performance.now();
  for (;;) {
    const { pending, first } = await pendingRows(database);
    if (pending <= backlog) return;
    // Either shows that something is published: of a busy service as much comes as goes, and a partition may be away.
    if (pending < lowest || first !== oldest) movedAt = performance.now();
    lowest = Math.min(lowest, pending);
    oldest = first;
    if (performance.now() - movedAt > patienceMs) {
      throw new Error(
        `the outbox holds ${pending} rows and nothing publishes them: does the service run, and does Kafka answer? ` +
          `${republished} orders were added; running this again is safe`,
      );
    }
    await delay(LOOK_EVERY_MS);
  }
}

// Rows behind a parked one wait for a person, not for the relay.
async function pendingRows(database: Database): Promise<{ pending: number; first: string | null }> {
  const { rows } = await database.connectionPool.query<{ pending: string; first: string | null }>(
    `SELECT count(*) AS pending, min(position) AS first FROM outbox
      WHERE key <> ALL (ARRAY(SELECT p.key FROM outbox p WHERE p.parked_reason IS NOT NULL))`,
  );
  return { pending: Number(rows[0]?.pending), first: rows[0]?.first ?? null };
}
