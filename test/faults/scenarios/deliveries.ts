import { TOPICS } from '@po/contracts';
import type { OutgoingRecord } from '@po/messaging';
import { sendRecords } from '../../support/send-records.js';
import type { Random } from '../random.js';
import { restartAll } from '../restart.js';
import type { Scenario } from '../scenario.js';
import { TEST_HEADER } from '../topics.js';
import type { World } from '../world.js';

const COPIES = 400;

/** Sends randomly chosen, shuffled records of the topics again, as a broken producer would. */
async function sendAgain(world: World, random: Random): Promise<void> {
  await world.published.catchUp();
  const originals = random.shuffled(world.published.originals).slice(0, COPIES);
  const copies = originals.map(({ topic, key, value, rawHeaders }): OutgoingRecord => {
    return { topic, key, value, headers: { ...rawHeaders, [TEST_HEADER]: 'sent again' } };
  });
  await sendRecords(world.kafka, copies);
}

/** Sends outdated revisions of orders, the newest first. */
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

/** Restarts every consumer in a new group, so that it reads every topic from the beginning. */
async function replayEverything(world: World): Promise<void> {
  world.groupSuffix = `-replay-${world.seed}`;
  await restartAll(world, { KAFKA_GROUP_SUFFIX: world.groupSuffix });
}

export const DELIVERIES: Scenario[] = [
  {
    name: `records of ${TOPICS.transitions} and ${TOPICS.state} sent again in random order`,
    fault: async (world, random) => {
      await sendAgain(world, random);
      await sendOldSnapshots(world, random);
    },
  },
  { name: 'every topic replayed from its beginning', fault: (world) => replayEverything(world) },
];
