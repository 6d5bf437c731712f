import { randomUUID } from 'node:crypto';
import {
  GROUPS,
  type MessagePosted,
  type NotificationCreated,
  type PurchaseOrderState,
  type PurchaseOrderTransitioned,
  TOPICS,
  deadLetterTopic,
} from '@po/contracts';
import type { IncomingRecord, KafkaPort } from '@po/messaging';

/** On every record that the tests put on a topic of the services, beside what they are about. */
export const TEST_HEADER = 'x-test-record';

export interface PublishedTransition {
  id: string;
  poNumber: string;
  sequence: number;
}

/** What one record of `po.state.v1` says, as far as an operation can have left its mark in it. */
export interface PublishedState {
  poNumber: string;
  version: number;
  statusId: number;
  marks: string[];
}

export interface PublishedMessage {
  id: string;
  poNumber: string;
}

export interface AnnouncedNotification {
  id: string;
  userId: string;
  email: string | null;
  /** When its user wants mail of it; null from a release without mail. */
  mail: string | null;
}

export interface DeadLetter {
  topic: string;
  /** The test record's name, or null for a record that no test spoilt. */
  name: string | null;
  reason: string;
  value: Buffer | null;
  key: string | null;
}

/** Each is the whole of an order: all of them would fill the memory. */
const REMEMBERED = 2_000;

const DEAD_LETTERS = Object.values(GROUPS).map(deadLetterTopic);
const READ = [TOPICS.transitions, TOPICS.state, TOPICS.messages, TOPICS.notifications, ...DEAD_LETTERS];

/** What was ever published, in the order of each partition. Records that tests put there themselves are left out. */
export class PublishedRecords {
  readonly transitions: PublishedTransition[] = [];
  readonly states: PublishedState[] = [];
  readonly messages: PublishedMessage[] = [];
  readonly announced: AnnouncedNotification[] = [];
  readonly deadLetters: DeadLetter[] = [];
  /** The latest of what went over the two topics of orders, to be sent again by tests. */
  readonly originals: IncomingRecord[] = [];
  private readonly positions = new Map<string, bigint>();

  constructor(private readonly kafka: KafkaPort) {}

  /** Reads on from where the last call ended, to the ends of the topics as they are now. */
  async catchUp(): Promise<void> {
    const admin = await this.kafka.admin();
    const group = `test-${randomUUID()}`;
    try {
      const open = new Map<string, bigint>();
      for (const topic of READ) {
        for (const { partition, high } of await admin.offsets(topic)) {
          const place = `${topic}/${partition}`;
          if (BigInt(high) > (this.positions.get(place) ?? 0n)) open.set(place, BigInt(high));
        }
      }
      if (open.size > 0) await this.read(group, open);
    } finally {
      await admin.close();
    }
  }

  private async read(group: string, open: Map<string, bigint>): Promise<void> {
    const topics = [...new Set([...open.keys()].map((place) => place.slice(0, place.lastIndexOf('/'))))];
    const finished = Promise.withResolvers<void>();
    const consumer = this.kafka.consumer({ group, topics, from: 'earliest' });
    try {
      await consumer.start({
        onAssigned: (assignment) => {
          for (const { topic, partition } of assignment) {
            consumer.seek(topic, partition, String(this.positions.get(`${topic}/${partition}`) ?? 0n));
          }
        },
        onRecords: (records) => {
          for (const record of records) this.take(record);
          const [first] = records;
          if (!first) return;
          const place = `${first.topic}/${first.partition}`;
          if ((this.positions.get(place) ?? 0n) >= (open.get(place) ?? 0n)) open.delete(place);
          if (open.size === 0) finished.resolve();
        },
      });
      await finished.promise;
    } finally {
      await consumer.stop();
    }
  }

  private take(record: IncomingRecord): void {
    const place = `${record.topic}/${record.partition}`;
    // A fetch that was under way before the seek delivers records that were read before.
    if (BigInt(record.offset) < (this.positions.get(place) ?? 0n)) return;
    this.positions.set(place, BigInt(record.offset) + 1n);
    const { topic, headers, value, key } = record;
    const name = headers[TEST_HEADER] ?? null;
    if (DEAD_LETTERS.includes(topic)) {
      const reason = headers['x-dlq-reason'] ?? '';
      this.deadLetters.push({ topic, name, reason, value, key: key?.toString() ?? null });
      return;
    }
    if (name !== null || value === null) return;
    const data = JSON.parse(value.toString()) as unknown;
    if (topic === TOPICS.notifications) {
      const { userId, email, delivery } = data as NotificationCreated;
      this.announced.push({ id: headers.ce_id ?? '', userId, email, mail: delivery?.mail ?? null });
      return;
    }
    if (topic === TOPICS.messages) {
      const { id, poNumber } = data as MessagePosted;
      this.messages.push({ id, poNumber });
      return;
    }
    this.originals.push(record);
    if (this.originals.length > REMEMBERED) this.originals.shift();
    if (topic === TOPICS.transitions) {
      const { id, poNumber, sequence } = data as PurchaseOrderTransitioned;
      this.transitions.push({ id, poNumber, sequence });
    } else this.states.push(publishedState(data as PurchaseOrderState));
  }
}

function publishedState(state: PurchaseOrderState): PublishedState {
  const { poNumber, poVersion: version, statusId, vendorReplyComment, remarks, cells } = state;
  const quantities = cells.map(({ vendorReplyQty }) => vendorReplyQty).filter((qty) => qty !== null);
  const marks = [vendorReplyComment, remarks, ...quantities.map(String)].filter((mark) => mark !== null);
  return { poNumber, version, statusId, marks };
}
