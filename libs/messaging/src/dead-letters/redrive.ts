import { type Group, HEADERS, TOPICS, TOPIC_MANIFEST, deadLetterTopic } from '@po/contracts';
import type { IncomingRecord, KafkaPort, OutgoingRecord } from '../kafka-port.js';
import { readTopic } from './read-topic.js';

/** Position of a record in Kafka; `offset` is a decimal string. */
interface RecordPosition {
  topic: string;
  partition: number;
  offset: string;
}

/** A record of a dead-letter topic, with its reason and origin. */
export interface DeadLetter {
  position: RecordPosition;
  /** Null for a record that no consumer of this system wrote; it cannot be redriven. */
  origin: RecordPosition | null;
  reason: string;
  /** The stored record: key, value and headers of the original, plus the `x-dlq-*` headers. */
  record: IncomingRecord;
}

const ADDED: readonly string[] = [
  HEADERS.deadLetterReason,
  HEADERS.deadLetterTopic,
  HEADERS.deadLetterPartition,
  HEADERS.deadLetterOffset,
  HEADERS.deadLetterWithout,
];
const SOURCES: readonly string[] = Object.values(TOPICS);

/** `<topic>/<partition>/<offset>`. */
export const positionName = ({ topic, partition, offset }: RecordPosition): string => `${topic}/${partition}/${offset}`;

/** Reads a group's dead letters, from the oldest retained one to the last one at the call, in order per partition. */
export async function readDeadLetters(
  kafka: KafkaPort,
  group: Group,
  onDeadLetter: (letter: DeadLetter) => Promise<void> | void,
): Promise<void> {
  await readTopic(kafka, deadLetterTopic(group), (record) => onDeadLetter(deadLetterOf(record)));
}

/** Parses a record of a dead-letter topic. */
export function deadLetterOf(record: IncomingRecord): DeadLetter {
  const { topic, partition, offset, headers } = record;
  return {
    position: { topic, partition, offset },
    origin: originOf(headers),
    reason: record.unreadable ?? headers[HEADERS.deadLetterReason] ?? '',
    record,
  };
}

/** Offset of the newest record of each key on compacted topics. */
export type NewestRecords = ReadonlyMap<string, bigint>;

const keyName = ({ topic, partition }: Omit<RecordPosition, 'offset'>, key: Buffer | null): string =>
  `${topic}/${partition}/${key?.toString('hex')}`;

/** Newest records on those of the given topics that are compacted. */
export async function newestRecords(kafka: KafkaPort, origins: ReadonlySet<string>): Promise<NewestRecords> {
  const newest = new Map<string, bigint>();
  for (const { topic, retention } of TOPIC_MANIFEST) {
    if (retention !== 'compact' || !origins.has(topic)) continue;
    await readTopic(kafka, topic, (record) => void newest.set(keyName(record, record.key), BigInt(record.offset)));
  }
  return newest;
}

/** Reason why a record cannot be redriven; null if it can. */
export function reasonNotToSend({ origin, record }: DeadLetter, newest: NewestRecords = new Map()): string | null {
  if (!origin) return `no ${HEADERS.deadLetterTopic} header names its origin`;
  if (record.headers[HEADERS.deadLetterWithout] !== undefined) return 'the letter has no copy of its record';
  // If the old record were sent after the newer one, compaction would keep it, and readers from the beginning would use it.
  if ((newest.get(keyName(origin, record.key)) ?? -1n) > BigInt(origin.offset))
    return `${origin.topic} has a newer record of its key`;
  return null;
}

/**
 * The original record, to be sent to its original topic: bytes, key and headers, plus `x-redriven-from`. Null if it cannot be redriven.
 * It keeps its partition regardless of the sender's partitioner, because the records of a key must stay on one partition.
 */
export function originalOf(letter: DeadLetter): OutgoingRecord | null {
  const { position, origin, record } = letter;
  if (!origin || reasonNotToSend(letter)) return null;
  const kept = Object.entries(record.rawHeaders).filter(([name]) => !ADDED.includes(name));
  return {
    topic: origin.topic,
    partition: origin.partition,
    key: record.key,
    value: record.value,
    headers: { ...Object.fromEntries(kept), [HEADERS.redrivenFrom]: positionName(position) },
  };
}

/** Summary of all dead letters of a group. */
interface Survey {
  /** Their original topics. */
  origins: Set<string>;
  /**
   * Names of letters that were redriven and dead-lettered again as newer ones. Redriving all letters skips them; otherwise their
   * number would double each time.
   */
  returned: Set<string>;
}

/** Reads a group's dead letters once and summarizes them. */
export async function surveyOf(kafka: KafkaPort, group: Group): Promise<Survey> {
  const survey: Survey = { origins: new Set(), returned: new Set() };
  await readDeadLetters(kafka, group, ({ origin, record }) => {
    if (origin) survey.origins.add(origin.topic);
    const from = record.headers[HEADERS.redrivenFrom];
    if (from !== undefined) survey.returned.add(from);
  });
  return survey;
}

function originOf(headers: IncomingRecord['headers']): RecordPosition | null {
  const topic = headers[HEADERS.deadLetterTopic] ?? '';
  const partition = headers[HEADERS.deadLetterPartition] ?? '';
  const offset = headers[HEADERS.deadLetterOffset] ?? '';
  if (!SOURCES.includes(topic) || !/^\d+$/.test(partition) || !/^\d+$/.test(offset)) return null;
  return { topic, partition: Number(partition), offset };
}
