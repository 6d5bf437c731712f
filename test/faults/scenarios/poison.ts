import { EVENT_TYPES, GROUPS, type Group, HEADERS, TOPICS, deadLetterTopic } from '@po/contracts';
import type { OutgoingRecord } from '@po/messaging';
import { newSnapshot } from '../orders.js';
import type { Random } from '../random.js';
import type { Scenario } from '../scenario.js';
import { TEST_HEADER } from '../topics.js';
import type { World } from '../world.js';

/** A consumed topic. `typeHeader` and `type` are the type header of a valid record. */
interface Target {
  topic: string;
  /** Groups that read the topic and have a dead-letter topic. */
  groups: readonly Group[];
  typeHeader: string;
  type: string;
}

const ofEvents = (topic: string, type: string, ...groups: Group[]): Target => ({
  topic,
  groups,
  typeHeader: HEADERS.cloudEventType,
  type,
});

const TARGETS: readonly Target[] = [
  {
    topic: TOPICS.inventory,
    groups: [GROUPS.inventory],
    typeHeader: HEADERS.inventoryType,
    type: 'purchase-order.upserted',
  },
  ofEvents(TOPICS.transitions, EVENT_TYPES.transitioned, GROUPS.notificationsEvents),
  ofEvents(TOPICS.users, EVENT_TYPES.userSeen, GROUPS.notificationsEvents, GROUPS.mailEvents, GROUPS.directory),
  ofEvents(TOPICS.state, EVENT_TYPES.stateChanged, GROUPS.dashboardEvents),
  ofEvents(TOPICS.messages, EVENT_TYPES.messagePosted, GROUPS.notificationsEvents),
  ofEvents(TOPICS.reminders, EVENT_TYPES.reminderDue, GROUPS.notificationsEvents),
  ofEvents(TOPICS.notifications, EVENT_TYPES.notificationCreated, GROUPS.mailEvents),
  // Requests that cannot be answered are dropped without a dead letter.
  ...[
    TOPICS.commands,
    TOPICS.queries,
    TOPICS.notificationsRpc,
    TOPICS.dashboardRpc,
    TOPICS.mailRpc,
    TOPICS.replies,
  ].map((topic) => ({
    topic,
    groups: [],
    typeHeader: HEADERS.messageType,
    type: 'purchase-order.transition',
  })),
];

const TWO_MEGABYTES = 2 * 1024 * 1024;

/** The kinds of poison: value, change of the type header, and expected reason of the dead letter. */
const KINDS: readonly { kind: string; value: Buffer | null; type?: 'missing' | 'unknown'; reason: RegExp }[] = [
  { kind: 'bad JSON', value: Buffer.from('{"poNumber": '), reason: /not JSON/ },
  { kind: 'not UTF-8', value: Buffer.from([0x22, 0xff, 0xfe, 0x22]), reason: /not UTF-8/ },
  { kind: 'unknown type', value: Buffer.from('{}'), type: 'unknown', reason: /unknown (type|ce_type)/ },
  { kind: 'missing headers', value: Buffer.from('{}'), type: 'missing', reason: /header (type|ce_type) is missing/ },
  { kind: 'null value', value: null, reason: /null/ },
  {
    kind: 'two megabytes',
    value: Buffer.from(JSON.stringify({ remarks: 'x'.repeat(TWO_MEGABYTES) })),
    reason: /does not fit/,
  },
  { kind: 'fields named value and key', value: Buffer.from('{"value":{"a":1},"key":"k"}'), reason: /does not fit/ },
];

function poisonRecords(world: World, random: Random): OutgoingRecord[] {
  const round = world.poison.length;
  return TARGETS.flatMap(({ topic, groups, typeHeader, type }) =>
    KINDS.map(({ kind, value, type: spoilt, reason }) => {
      const name = `${kind} on ${topic} (${round})`;
      const key = `POISON-${random.int(1, 1_000)}`;
      const deadLetterTopics = groups.length > 0 ? groups.map(deadLetterTopic) : [null];
      for (const topic of deadLetterTopics) world.poison.push({ name, key, value, reason, deadLetterTopic: topic });
      const headers: Record<string, string> = { [TEST_HEADER]: name };
      if (spoilt !== 'missing') headers[typeHeader] = spoilt === 'unknown' ? 'nobody.knows.v9' : type;
      return { topic, key, value, headers };
    }),
  );
}

export const POISON: Scenario[] = [
  {
    name: 'poison of every kind on every topic',
    short: true,
    fault: async (world, random, load) => {
      const producer = world.kafka.producer({ acks: 'all' });
      await producer.connect();
      try {
        for (const record of random.shuffled(poisonRecords(world, random))) {
          await producer.send([record]);
          await load.more(1);
        }
      } finally {
        await producer.disconnect();
      }
      // Unknown fields are no poison, whatever their names are.
      const snapshot = newSnapshot(`F-${world.seed}-NAMES-${world.poison.length}`, random);
      const message = { ...snapshot, value: { a: 1 }, key: 'k' };
      await world.inventory.sendLogged('poison', 'purchase-order.upserted', message);
    },
  },
];
