import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@po/database';
import { type Logger, isPermanent } from '@po/platform';
import { OrderStore } from '../store/load-order.js';
import { republishOrder } from './republish-order.js';

export interface RepublishOptions {
  logger: Logger;
  /** Every order with a lower version is raised to this version. */
  leastVersion?: number;
  /** Orders between two checks of the outbox. */
  batchSize?: number;
  /** Maximum rows in the outbox before the next batch is added. */
  backlog?: number;
  /** Milliseconds to wait for the relay without any progress. */
  stallTimeoutMs?: number;
}

const BATCH_SIZE = 100;
/** About as many rows as the relay publishes in a second, so that users' changes wait no longer than that. */
const BACKLOG = 500;
const STALL_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
const USAGE = 'usage: republish <poRef>… | --all | --restored';
const OPTIONS = ['--all', '--restored'];
const VERSIONS_SINCE = Date.UTC(2020, 0);

/** Parses the command line. Throws an Error with the usage if it is invalid. */
export function parseArguments(
  args: readonly string[],
  now: number,
): { selection: 'all' | string[]; leastVersion?: number } {
  const [first] = args;
  if (first === undefined) throw new Error(USAGE);
  const options = args.filter((arg) => arg.startsWith('-'));
  const unknown = options.filter((option) => !OPTIONS.includes(option));
  if (unknown.length > 0) throw new Error(`unknown option ${unknown.join(', ')}; ${USAGE}`);
  if (options.length === 0) return { selection: [...new Set(args.map((poNumber) => poNumber.toUpperCase()))] };
  if (args.length > 1) throw new Error(`${options[0]} must be the only argument; ${USAGE}`);
  return { selection: 'all', ...(first === '--restored' ? { leastVersion: versionAfterRestore(now) } : {}) };
}

/**
 * Seconds since 2020. This is above every version that was ever published, because an order gets fewer than one change a second on average
 * since it was created or last raised. The column can store it until 2088.
 */
const versionAfterRestore = (now: number): number => Math.floor((now - VERSIONS_SINCE) / 1000);

/**
 * Writes the current state of orders to the outbox again, batch by batch, and waits for the service's relay in between. The same version
 * is the same event with the same `ce_id`, so repetition is harmless. Returns the number of written orders, the unknown ones, and those
 * that failed, which do not stop the others.
 */
export async function republishOrders(
  database: Database,
  selection: 'all' | readonly string[],
  options: RepublishOptions,
): Promise<{ republished: number; unknown: string[]; failed: string[] }> {
  const { logger, leastVersion, batchSize = BATCH_SIZE } = options;
  const orders = new OrderStore();
  const found = new Set<string>();
  const failed: string[] = [];
  let republished = 0;
  let after = '';
  for (;;) {
    const batch = await nextBatch(database, selection, after, batchSize);
    const last = batch.at(-1);
    if (last === undefined) break;
    await waitForRoom(database, options, republished);
    for (const poNumber of batch) {
      try {
        await republishOrder({ internal: database, orders }, poNumber, leastVersion);
        republished += 1;
      } catch (error) {
        if (!isPermanent(error)) throw error;
        failed.push(poNumber);
        logger.error(
          { err: error, order: poNumber },
          'an order could not be written to the outbox; continuing with the others',
        );
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

async function waitForRoom(
  database: Database,
  { backlog = BACKLOG, stallTimeoutMs = STALL_TIMEOUT_MS }: RepublishOptions,
  republished: number,
): Promise<void> {
  let lowest = Infinity;
  let oldest: string | null = null;
  let movedAt = performance.now();
  for (;;) {
    const { pending, first } = await pendingRows(database);
    if (pending <= backlog) return;
    // Either shows progress: in a busy service as many rows arrive as leave, and the oldest row may wait for an unavailable partition.
    if (pending < lowest || first !== oldest) movedAt = performance.now();
    lowest = Math.min(lowest, pending);
    oldest = first;
    if (performance.now() - movedAt > stallTimeoutMs) {
      throw new Error(
        `the outbox holds ${pending} rows and nothing publishes them: does the service run, and does Kafka answer? ` +
          `${republished} orders were added; running this again is safe`,
      );
    }
    await delay(POLL_MS);
  }
}

// Rows behind a parked row wait for an operator, not for the relay.
async function pendingRows(database: Database): Promise<{ pending: number; first: string | null }> {
  const { rows } = await database.connectionPool.query<{ pending: string; first: string | null }>(
    `SELECT count(*) AS pending, min(position) AS first FROM outbox
      WHERE key <> ALL (ARRAY(SELECT p.key FROM outbox p WHERE p.parked_reason IS NOT NULL))`,
  );
  return { pending: Number(rows[0]?.pending), first: rows[0]?.first ?? null };
}
