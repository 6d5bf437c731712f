import { type Group, HEADERS, TOPICS, TOPIC_MANIFEST, deadLetterTopic } from '@po/contracts';
import type { IncomingRecord, KafkaPort, OutgoingRecord } from '../kafka-port.js';
import { readTopic } from './read-topic.js';

/** Where a record stands in Kafka; `offset` is decimal. */
interface RecordPlace {
  topic: string;
  partition: number;
  offset: string;
}

/** A record on a dead-letter topic: what it was, why it is there, and where it came from. */
export interface DeadLetter {
  place: RecordPlace;
  /** Null for a record that no consumer of this system put there: it cannot be sent back. */
  origin: RecordPlace | null;
  reason: string;
  /** The record as it lies there: key, value and headers are those of the original, and the `x-dlq-*` ones beside them. */
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
export const placeName = ({ topic, partition, offset }: RecordPlace): string => `${topic}/${partition}/${offset}`;

/** Reads a group's dead letters from the oldest one kept to the last one at the call, in order per partition. */
export async function readDeadLetters(
  kafka: KafkaPort,
  group: Group,
  onDeadLetter: (letter: DeadLetter) => Promise<void> | void,
): Promise<void> {
  await readTopic(kafka, deadLetterTopic(group), (record) => onDeadLetter(deadLetterOf(record)));
}

/** A record of a dead-letter topic: where it came from, and why it is there. */
export function deadLetterOf(record: IncomingRecord): DeadLetter {
  const { topic, partition, offset, headers } = record;
  return {
    place: { topic, partition, offset },
    origin: originOf(headers),
    reason: record.unreadable ?? headers[HEADERS.deadLetterReason] ?? '',
    record,
  };
}

/** Where the newest record of each key stands on compacted topics. */
export type NewestRecords = ReadonlyMap<string, bigint>;

const keyName = ({ topic, partition }: Omit<RecordPlace, 'offset'>, key: Buffer | null): string =>
  `${topic}/${partition}/${key?.toString('hex')}`;

/** The newest records on those topics that are compacted. */
export async function newestRecords(kafka: KafkaPort, origins: ReadonlySet<string>): Promise<NewestRecords> {
  const newest = new Map<string, bigint>();
  for (const { topic, retention } of TOPIC_MANIFEST) {
    if (retention !== 'compact' || !origins.has(topic)) continue;
    await readTopic(kafka, topic, (record) => void newest.set(keyName(record, record.key), BigInt(record.offset)));
  }
  return newest;
}

/** Why a record cannot be sent back; null when it can. */
export function obstacleOf({ origin, record }: DeadLetter, newest: NewestRecords = new Map()): string | null {
  if (!origin) return `no ${HEADERS.deadLetterTopic} says where it came from`;
  if (record.headers[HEADERS.deadLetterWithout] !== undefined) return 'the letter has no copy of its record';
  // Sent behind it, the old record would be the one that compaction keeps, and that readers from the beginning believe.
  if ((newest.get(keyName(origin, record.key)) ?? -1n) > BigInt(origin.offset))
    return `${origin.topic} has a newer record of its key`;
  return null;
}

/**
 * The original record, to be sent to where it came from: its bytes, key and headers, and `x-redriven-from`. Null when it cannot be sent.
 * It goes to its old partition, whatever its sender's partitioner was: a key's records must stay in one.
 */
export function originalOf(letter: DeadLetter): OutgoingRecord | null {
  const { place, origin, record } = letter;
  if (!origin || obstacleOf(letter)) return null;
  const kept = Object.entries(record.rawHeaders).filter(([name]) => !ADDED.includes(name));
  return {
    topic: origin.topic,
    partition: origin.partition,
    key: record.key,
    value: record.value,
    headers: { ...Object.fromEntries(kept), [HEADERS.redrivenFrom]: placeName(place) },
  };
}

/** What all dead letters of a group together tell. */
interface Survey {
  /** The topics that they come from. */
  origins: Set<string>;
  /**
   * The names of those that were sent back once and came here again, as newer letters. Whoever sends all back leaves them out, or their
   * number would double each time.
   */
  returned: Set<string>;
}

/** Looks through a group's dead letters once. */
export async function surveyOf(kafka: KafkaPort, group: Group): Promise<Survey> {
  const survey: Survey = { origins: new Set(), returned: new Set() };
  await readDeadLetters(kafka, group, ({ origin, record }) => {
    if (origin) survey.origins.add(origin.topic);
    const from = record.headers[HEADERS.redrivenFrom];
    if (from !== undefined) survey.returned.add(from);
  });
  return survey;
}

function originOf(headers: IncomingRecord['headers']): RecordPlace | null {
  const topic = headers[HEADERS.deadLetterTopic] ?? '';
  const partition = headers[HEADERS.deadLetterPartition] ?? '';
  const offset = headers[HEADERS.deadLetterOffset] ?? '';
  if (!SOURCES.includes(topic) || !/^\d+$/.test(partition) || !/^\d+$/.test(offset)) return null;
  return { topic, partition: Number(partition), offset };
}
