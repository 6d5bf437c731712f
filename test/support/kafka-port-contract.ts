import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.js';
import { type ConsumerPort, type IncomingRecord, type KafkaPort, RecordTooLargeError, readTopic } from '@po/messaging';

/** What both Kafka adapters must do alike. `open` gives a port to a broker that topics may be created on. */
export function describeKafkaPort(name: string, open: () => Promise<KafkaPort> | KafkaPort): void {
  describe(`${name} as a KafkaPort`, () => {
    const topic = `contract-${randomUUID()}`;
    const started: ConsumerPort[] = [];
    let kafka: KafkaPort;

    const send = async (...values: [key: string | null, value: string, partition?: number][]) => {
      const producer = kafka.producer({ acks: 'all' });
      await producer.connect();
      const records = values.map(([key, value, partition]) => ({
        ...{ topic, key, value, headers: { 'x-a': 'ä', 'x-b': Buffer.from([1, 2]) } },
        ...(partition === undefined ? {} : { partition }),
      }));
      await producer.send(records).finally(() => producer.disconnect());
    };
    const consume = async (group: string, options: { from?: 'earliest' | 'latest'; slot?: number } = {}) => {
      const records: IncomingRecord[] = [];
      const assignments: number[][] = [];
      const consumer = kafka.consumer({ group, topics: [topic], from: 'earliest', ...options });
      started.push(consumer);
      await consumer.start({
        onRecords: (batch) => records.push(...batch),
        onAssigned: (assignment) => assignments.push(assignment.map(({ partition }) => partition)),
        onRebalancing: () => undefined,
      });
      await eventually('the consumer is assigned', () => assignments.length > 0);
      return { consumer, records, assignments };
    };
    const values = (records: IncomingRecord[]) => records.map(({ value }) => value?.toString());

    beforeAll(async () => {
      kafka = await open();
      const admin = await kafka.admin();
      await admin.createTopics([
        { topic, partitions: 3, retention: 600_000, maxMessageBytes: 1_000_000, replication: 1, minInsync: 1 },
      ]);
      expect(await admin.topics()).toContain(topic);
      expect(await admin.describe([topic])).toMatchObject([
        {
          ...{ topic, partitions: 3, replication: 1 },
          settings: { 'retention.ms': '600000', 'segment.ms': '150000', 'max.message.bytes': '1000000' },
        },
      ]);
      await admin.close();
      await send(['k', '1'], ['k', '2'], ['k', '3'], [null, 'pinned', 2]);
    });
    afterAll(() => Promise.all(started.map((consumer) => consumer.stop())));

    it('keeps bytes, headers, and the order of one key on one partition', async () => {
      const { records } = await consume(randomUUID());
      await eventually('all four records arrive', () => records.length === 4);
      const keyed = records.filter(({ key }) => key !== null);
      expect(values(keyed)).toEqual(['1', '2', '3']);
      expect(new Set(keyed.map(({ partition }) => partition)).size).toBe(1);
      expect(records.find(({ key }) => key === null)).toMatchObject({ partition: 2, headers: { 'x-a': 'ä' } });
      expect(keyed[0]?.rawHeaders['x-b']).toEqual(Buffer.from([1, 2]));
    });

    it('continues a group at its last commit, and brings what was not committed again', async () => {
      const group = randomUUID();
      const first = await consume(group);
      await eventually('records arrive', () => first.records.length === 4);
      const second = first.records.find(({ value }) => value?.toString() === '2') as IncomingRecord;
      await first.consumer.commit([{ topic, partition: second.partition, offset: String(BigInt(second.offset) + 1n) }]);
      await first.consumer.stop();
      const next = await consume(group);
      await eventually(
        'the rest arrives',
        () => values(next.records).includes('3') && values(next.records).includes('pinned'),
      );
      expect(values(next.records)).not.toContain('1');
      expect(values(next.records)).not.toContain('2');
      const admin = await kafka.admin();
      expect(await admin.committed(group, topic)).toContainEqual({
        partition: second.partition,
        offset: String(BigInt(second.offset) + 1n),
      });
      await admin.close();
    });

    it('deals the partitions of a group out to its members, each to one', async () => {
      const group = randomUUID();
      const one = await consume(group);
      const two = await consume(group);
      await eventually('both hold a part', () => {
        const [a, b] = [one.assignments.at(-1) ?? [], two.assignments.at(-1) ?? []];
        return a.length > 0 && b.length > 0 && [...a, ...b].toSorted((x, y) => x - y).join() === '0,1,2';
      });
    });

    it('gives a slot consumer exactly its partition', async () => {
      const { assignments } = await consume(randomUUID(), { slot: 1, from: 'latest' });
      expect(assignments.at(-1)).toEqual([1]);
    });

    it('seeks, pauses and resumes', async () => {
      const { consumer, records } = await consume(randomUUID(), { slot: 2 });
      await eventually('the pinned record arrives', () => values(records).includes('pinned'));
      consumer.pause(topic);
      consumer.seek(topic, 2, '0');
      consumer.resume(topic);
      await eventually('it comes again', () => values(records).filter((value) => value === 'pinned').length === 2);
    });

    it('refuses a record that is larger than its topic takes, and stores nothing of it', async () => {
      const admin = await kafka.admin();
      const before = await admin.offsets(topic);
      await expect(send([null, 'x'.repeat(1_100_000), 1])).rejects.toBeInstanceOf(RecordTooLargeError);
      expect(await admin.offsets(topic)).toEqual(before);
      await admin.close();
    });

    it('reads a topic from its beginning to its end', async () => {
      const seen: string[] = [];
      await readTopic(kafka, topic, ({ value }) => void seen.push(String(value)));
      expect(seen.toSorted()).toEqual(['1', '2', '3', 'pinned']);
    });

    it('tells since when a record can have been there, but of what was there before', async () => {
      const { records } = await consume(randomUUID());
      await eventually('what was there before arrives', () => records.length >= 4);
      expect(records.slice(0, 4).map(({ arrival }) => arrival?.after)).toEqual([null, null, null, null]);
      for (const partition of [0, 1, 2]) {
        await eventually('one that is sent now is known to be new', async () => {
          const id = randomUUID();
          await send([null, id, partition]);
          const sentBy = Date.now();
          const record = await eventually('it arrives', () => records.find(({ value }) => String(value) === id));
          const { at, after } = record.arrival ?? { at: 0, after: null };
          expect(at).toBeGreaterThanOrEqual(record.timestamp);
          expect(after ?? 0).toBeLessThanOrEqual(sentBy);
          return after !== null;
        });
      }
    });
  });
}
