import { TOPICS } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import { largestOrderLines } from '../../support/largest-order-lines.js';
import { repairIn } from '../../support/repair.js';
import { databaseOf } from '../database.js';
import { rowsOf } from '../../support/rows.js';
import { sendRecords } from '../../support/send-records.js';
import { type Snapshot, newSnapshot } from '../orders.js';
import type { Random } from '../random.js';
import type { Scenario } from '../scenario.js';
import type { StoreName } from '../stack.js';
import { TEST_HEADER } from '../topics.js';
import type { World } from '../world.js';
import { withStoreDown } from './outages.js';

/** The memory limit of a container. */
const LIMIT_MB = 512;
/** `FAULTS_AWAY_S=120` makes the outage longer. */
const AWAY_MS = Number(process.env.FAULTS_AWAY_S || 30) * 1_000;
const ORDERS = 8;
/** Copies of messages that are expensive to handle; they must be handled within the promised recovery time. */
const COPIES = 12;
/** Copies of records that are dropped as duplicates: about 350 MiB per replica, all in memory if only their number were bounded. */
const PUBLISHED_COPIES = { [TOPICS.transitions]: 100, [TOPICS.state]: 60 };
const TAKEN_IN_MS = 120_000;

/** An order with the maximum number of lines that the source may send. */
function largeSnapshot(poNumber: string, random: Random): Snapshot {
  const lines = largestOrderLines(() => ({ qty: random.int(1, 500), unitPrice: random.int(400, 4_000) / 100 }));
  return { ...newSnapshot(poNumber, random), lines };
}

/** The next revision with other quantities: its history entry lists every line. */
function changed(snapshot: Snapshot): Snapshot {
  return { ...snapshot, sourceRevision: 2, lines: snapshot.lines.map((line) => ({ ...line, qty: line.qty + 1 })) };
}

/** Imports large orders, changes each by a second revision, and waits until both are published. */
async function largeOrders(world: World, scenario: string, store: StoreName, random: Random): Promise<Snapshot[]> {
  const orders: Snapshot[] = [];
  for (let number = 1; number <= ORDERS; number += 1) {
    const snapshot = largeSnapshot(`F-${world.seed}-LARGE-${store.toUpperCase()}-${number}`, random);
    orders.push(changed(snapshot));
    await world.inventory.sendLogged(scenario, 'purchase-order.upserted', snapshot);
    await world.inventory.sendLogged(scenario, 'purchase-order.upserted', changed(snapshot));
  }
  const keys = namesOf(orders);
  await eventually(
    'the large orders are imported and published',
    async () => {
      const url = databaseOf(world, 'purchaseOrders');
      const [row] = await rowsOf<{ taken: string; waiting: string }>(
        url,
        `SELECT (SELECT count(*) FROM purchase_orders WHERE po_number IN (${keys}) AND source_revision = 2) AS taken,
                (SELECT count(*) FROM outbox WHERE key IN (${keys})) AS waiting`,
      );
      return Number(row?.taken) === ORDERS && Number(row?.waiting) === 0;
    },
    { timeoutMs: TAKEN_IN_MS },
  );
  return orders;
}

const namesOf = (orders: readonly Snapshot[]) => orders.map(({ poNumber }) => `'${poNumber}'`).join();

/** Sends everything that was published about these orders on this topic again, many times. */
async function publishAgain(
  world: World,
  topic: keyof typeof PUBLISHED_COPIES,
  orders: readonly Snapshot[],
): Promise<void> {
  await world.published.catchUp();
  const keys = new Set(orders.map(({ poNumber }) => poNumber));
  const originals = world.published.originals.filter(
    (record) => record.topic === topic && keys.has(String(record.key)),
  );
  // Each order was imported and changed once.
  const expected = 2 * orders.length;
  if (originals.length < expected) throw new Error(`found ${originals.length} of ${expected} records on ${topic}`);
  const copies = originals.map(({ key, value, rawHeaders }) => {
    return { topic, key, value, headers: { ...rawHeaders, [TEST_HEADER]: 'sent again' } };
  });
  await sendRecords(world.kafka, Array.from({ length: PUBLISHED_COPIES[topic] }, () => copies).flat());
}

async function snapshotsAgain(world: World, orders: readonly Snapshot[]): Promise<void> {
  for (let copy = 1; copy <= COPIES; copy += 1)
    for (const order of orders) await world.inventory.send('purchase-order.upserted', order);
}

async function fillOutbox(world: World, orders: readonly Snapshot[]): Promise<void> {
  world.stack.announce();
  const { code, text } = await repairIn(world.dir, 'republish', ...orders.map(({ poNumber }) => poNumber));
  if (code !== 0) throw new Error(`republish ended with ${code}: ${text}`);
  await rowsOf(
    databaseOf(world, 'purchaseOrders'),
    `INSERT INTO outbox (shard, key, version, messages, traceparent, bytes)
     SELECT shard, key, version, messages, traceparent, bytes FROM outbox, generate_series(2, ${COPIES})
      WHERE key IN (${namesOf(orders)})`,
  );
}

/** Builds the backlog for each store: hundreds of MiB. */
const BACKLOGS: Record<StoreName, (world: World, orders: readonly Snapshot[]) => Promise<unknown>> = {
  Kafka: fillOutbox,
  PostgreSQL: async (world, orders) => {
    await snapshotsAgain(world, orders);
    await publishAgain(world, TOPICS.transitions, orders);
  },
  Redis: (world, orders) => publishAgain(world, TOPICS.state, orders),
};

function largeOrdersWithout(store: StoreName): Scenario {
  const name = `large orders while ${store} is away`;
  return {
    name,
    memoryLimitMb: LIMIT_MB,
    fault: async (world, random) => {
      const orders = await largeOrders(world, name, store, random);
      return withStoreDown(world, store, AWAY_MS, async () => {
        await BACKLOGS[store](world, orders);
        return [];
      });
    },
  };
}

export const MEMORY: Scenario[] = [
  largeOrdersWithout('Kafka'),
  largeOrdersWithout('PostgreSQL'),
  largeOrdersWithout('Redis'),
];
