import { SERVICES } from '../../../deploy/local/stack-file.js';
import { TOPICS } from '@po/contracts';
import type { OutgoingRecord } from '@po/messaging';
import { eventually } from '../../support/eventually.js';
import type { Random } from '../random.js';
import type { Scenario } from '../scenario.js';
import { TEST_HEADER } from '../topics.js';
import { type World, managementUrls } from '../world.js';

const COPIES = 400;
const AT_ONCE = 40;
const READY_MS = 60_000;

/** Records that were on the topics before, drawn and shuffled, as a broken producer would send them once more. */
async function sendAgain(world: World, random: Random): Promise<void> {
  await world.published.catchUp();
  const originals = random.shuffled(world.published.originals).slice(0, COPIES);
  const copies = originals.map(({ topic, key, value, rawHeaders }): OutgoingRecord => {
    return { topic, key, value, headers: { ...rawHeaders, [TEST_HEADER]: 'sent again' } };
  });
  const producer = world.kafka.producer({ acks: 'all' });
  await producer.connect();
  try {
    for (let sent = 0; sent < copies.length; sent += AT_ONCE) await producer.send(copies.slice(sent, sent + AT_ONCE));
  } finally {
    await producer.disconnect();
  }
}

/** Old revisions of orders, newest first: all of them are late. */
async function sendOldSnapshots(world: World, random: Random): Promise<void> {
  for (const { snapshot } of random.shuffled([...world.orders.values()]).slice(0, 20)) {
    for (let sourceRevision = snapshot.sourceRevision; sourceRevision > 0; sourceRevision -= 1) {
      const late = {
        ...snapshot,
        sourceRevision,
        lines: snapshot.lines.map((line) => ({ ...line, qty: line.qty + 1 })),
      };
      if (sourceRevision < snapshot.sourceRevision) await world.inventory.send('purchase-order.upserted', late);
    }
  }
}

/** Every consumer starts in a new group, and so reads every topic from its beginning. */
async function replayEverything(world: World): Promise<void> {
  world.groupSuffix = `-replay-${world.seed}`;
  const processes = SERVICES.flatMap((service) => world.replicas(service));
  await Promise.all(
    processes.map(async (process) => {
      world.ended.add(process);
      await process.suspend('SIGTERM');
      process.resume({ KAFKA_GROUP_SUFFIX: world.groupSuffix });
    }),
  );
  await eventually(
    'every replica is ready in its new groups',
    async () => {
      const answers = await Promise.all(managementUrls(world).map((url) => fetch(`${url}/readyz`)));
      return answers.every(({ ok }) => ok);
    },
    { timeoutMs: READY_MS },
  );
}

export const DELIVERIES: Scenario[] = [
  {
    name: `records of ${TOPICS.transitions} and ${TOPICS.state} again, in disorder`,
    short: true,
    fault: async (world, random) => {
      await sendAgain(world, random);
      await sendOldSnapshots(world, random);
    },
  },
  { name: 'every topic replayed from its beginning', fault: (world) => replayEverything(world) },
];
