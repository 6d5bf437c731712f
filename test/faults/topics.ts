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

/** Marks records that tests send to topics of the services apart from logged operations. */
export const TEST_HEADER = 'x-test-record';

export interface PublishedTransition {
  id: string;
  poNumber: string;
  sequence: number;
}

/** The parts of a `po.state.v1` record in which an operation can have left its mark. */
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
  /** The mail mode that its user chose; null from a release without mail. */
  mail: string | null;
}

export interface DeadLetter {
  topic: string;
  /** Name of the poison record; null for any other record. */
  name: string | null;
  reason: string;
  value: Buffer | null;
  key: string | null;
}

/** Number of records to keep. Each holds a whole order, so all of them would fill the memory. */
const REMEMBERED = 5_000;

const DEAD_LETTERS = Object.values(GROUPS).map(deadLetterTopic);
const READ = [TOPICS.transitions, TOPICS.state, TOPICS.messages, TOPICS.notifications, ...DEAD_LETTERS];

/** Everything that was ever published, in partition order, without the records that tests sent. */
export class PublishedRecords {
  readonly transitions: PublishedTransition[] = [];
  readonly states: PublishedState[] = [];
  readonly messages: PublishedMessage[] = [];
  readonly announced: AnnouncedNotification[] = [];
  readonly deadLetters: DeadLetter[] = [];
  /** The latest records of the two order topics, which tests send again. */
  readonly originals: IncomingRecord[] = [];
  private readonly positions = new Map<string, bigint>();

  constructor(private readonly kafka: KafkaPort) {}

  /** Reads from the end of the previous call to the current ends of the topics. */
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
    // A fetch that started before the seek delivers records that were already read.
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
