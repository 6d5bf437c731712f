import { TOPICS, TOPIC_MANIFEST, type TopicSpecification, topicSettings } from '@po/contracts';
import kafkajs from 'kafkajs';
import type { DemoOrder } from '../../deploy/local/demo/orders.js';
import type { World } from '../e2e/world.js';
import { eventually } from '@po/testing/eventually';

const MIB = 1024 * 1024;
const TOPIC = TOPIC_MANIFEST.find(({ topic }) => topic === TOPICS.state) as TopicSpecification;
const SETTINGS = topicSettings({ ...TOPIC, minInsync: 1 });
/** Gives a large record its own segment, which is compacted within seconds after the next record. */
const COMPACTED_SOON = {
  ...SETTINGS,
  'segment.bytes': String(MIB),
  'segment.ms': '200',
  'min.cleanable.dirty.ratio': '0.001',
  'min.compaction.lag.ms': '0',
  'max.compaction.lag.ms': '100',
};

/**
 * Leaves segments of po.state.v1 that hold only empty batches: for each producer, such as a replaced relay, the cleaner keeps the last
 * batch even without its record (KAFKA-5490). Sends copies of one state of an order that is not in `orders`; only the last copy stays.
 */
export async function emptySegments(world: World, kafkaBrokers: string, orders: readonly DemoOrder[]): Promise<void> {
  const { ConfigResourceTypes, Kafka, logLevel } = kafkajs;
  const client = new Kafka({ brokers: kafkaBrokers.split(','), logLevel: logLevel.NOTHING });
  const admin = client.admin();
  const alter = (settings: Record<string, string>) => {
    const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
    const resources = [{ type: ConfigResourceTypes.TOPIC, name: TOPICS.state, configEntries }];
    return admin.alterConfigs({ validateOnly: false, resources });
  };
  const changing = new Set(orders.map(({ snapshot }) => snapshot.poNumber));
  const record = (await world.raw(TOPICS.state, ({ key }) => !changing.has(String(key)))).at(-1);
  if (!record) throw new Error('po.state.v1 has no state of another order');
  const { key, value, partition, rawHeaders } = record;
  await admin.connect();
  try {
    await alter(COMPACTED_SOON);
    for (let sent = 1; sent <= 5; sent += 1) {
      const producer = client.producer({ idempotent: true, maxInFlightRequests: 1 });
      await producer.connect();
      const headers = { ...rawHeaders, sent: String(sent), padding: 'x'.repeat(sent < 5 ? 0.6 * MIB : 0) };
      await producer.send({ topic: TOPICS.state, messages: [{ key, value, partition, headers }] });
      await producer.disconnect();
    }
    const isCompacted = async () => !(await world.raw(TOPICS.state, ({ headers }) => headers.sent === '1')).length;
    await eventually('the first copy is compacted away', isCompacted);
  } finally {
    await alter(SETTINGS);
    await admin.disconnect();
  }
}
