import { type Logger, endsWithin, shouldLog } from '@po/platform';
import type { Pool } from 'pg';
import { type OutgoingRecord, type ProducerPort, RecordRefusedError } from '../kafka-port.js';
import { outboxFailures } from '../metrics.js';
import { BlockedKeys } from './blocked-keys.js';
import type { LeaseTerm } from './outbox-leases.js';
import type { OutboxRow } from './pending-rows.js';
import { type Publication, publish } from './publication.js';

interface DeliveriesOptions {
  producer: ProducerPort;
  pool: () => Pool;
  logger: Logger;
  /** Called when slow sends have settled. */
  onSettled: () => void;
}

/** The rows of one key that were sent together. */
export interface Delivery {
  key: string;
  shard: number;
  /** Fence of the lease under which the rows were sent. */
  fence: string;
  /** Acknowledged rows before the first failed row. Later rows wait for that row, so as not to overtake it. */
  stored: OutboxRow[];
  settled: boolean;
}

interface SentRow {
  row: OutboxRow;
  publications: readonly Publication[];
}

/** A broker normally answers in milliseconds. A slower send is awaited while other partitions continue. */
const SLOW_AFTER_MS = 500;

/** Sends rows and tracks the results by key: no key waits for another key's partition. */
export class Deliveries {
  private readonly blocked = new BlockedKeys();
  /** Deliveries by key, until `remove`. */
  private readonly inFlight = new Map<string, Delivery>();
  private readonly settling = new Set<Promise<void>>();

  constructor(private readonly options: DeliveriesOptions) {}

  /** Keys that must not be sent now: a send is pending, or their partition is unavailable. */
  unavailableKeys(): string[] {
    return [...this.inFlight.keys(), ...this.blocked.waiting()];
  }

  get waitingKeys(): number {
    return this.blocked.size;
  }

  /** Shards with pending sends. */
  unsettledShards(): number[] {
    return [...this.inFlight.values()].filter(({ settled }) => !settled).map(({ shard }) => shard);
  }

  /** Deliveries that are settled and not removed yet. */
  settled(): Delivery[] {
    return [...this.inFlight.values()].filter(({ settled }) => settled);
  }

  /** Resolves when all pending sends are settled. */
  async idle(): Promise<void> {
    await Promise.all(this.settling);
  }

  /** Drops deliveries whose stored rows are deleted: their keys may be sent again. */
  remove(deliveries: readonly Delivery[]): void {
    for (const { key } of deliveries) this.inFlight.delete(key);
  }

  /**
   * Sends all rows except those of keys that have to wait. Resolves when all sends but slow ones have settled, with whether any row had
   * to wait.
   */
  async send(rows: readonly OutboxRow[], leases: ReadonlyMap<number, string>, term: LeaseTerm): Promise<boolean> {
    const sendable = rows.filter((row) => !this.blocked.blockIfFailing(row.key, () => this.partitionsOf(row)));
    const publications = this.publish(sendable, term);
    const sent = sendable.map((row, index): SentRow => ({ row, publications: publications[index] as Publication[] }));
    const started = Array.from(
      Map.groupBy(sent, ({ row }) => row.key),
      ([key, ofKey]) => {
        const { shard } = (ofKey[0] as SentRow).row;
        const delivery: Delivery = { key, shard, fence: leases.get(shard) as string, stored: [], settled: false };
        this.inFlight.set(key, delivery);
        const work = this.settle(delivery, ofKey, sent.length === 1, term).finally(() => this.settling.delete(work));
        this.settling.add(work);
        return { delivery, ofKey, work };
      },
    );
    const all = Promise.all(started.map(({ work }) => work));
    if (await endsWithin(SLOW_AFTER_MS, all)) return sendable.length < rows.length;
    for (const { delivery, ofKey } of started) {
      // Later answers for a settled key are ignored, so keys blocked for such an answer would wait forever.
      if (delivery.settled) continue;
      for (const { record, outcome } of ofKey.flatMap(({ publications }) => publications))
        if (!outcome.settled) this.blocked.ackPending(this.partitionOf(record));
    }
    void all.then(this.options.onSettled);
    return true;
  }

  private publish(rows: readonly OutboxRow[], term: LeaseTerm): Publication[][] {
    return publish(this.options.producer, rows, { until: () => term.until });
  }

  private async settle(delivery: Delivery, sent: readonly SentRow[], alone: boolean, term: LeaseTerm): Promise<void> {
    let again = false;
    for (const { row, publications } of sent) {
      let outcomes = await this.outcomesOf(publications, term);
      // One bad record fails its whole batch. Rows are then resent one at a time, in order, to find the refused row.
      again ||= !alone && refusalIn(outcomes) !== undefined;
      if (again) outcomes = await this.outcomesOf(this.publish([row], term)[0] as Publication[], term);
      const refusal = refusalIn(outcomes);
      if (refusal) await this.park(row, refusal);
      if (outcomes.some(Boolean)) break;
      delivery.stored.push(row);
    }
    // Answers for rows behind a failed row are ignored, and answers after the lease say nothing about the partition.
    for (const { record } of this.blocked.isEmpty ? [] : sent.flatMap(({ publications }) => publications))
      for (const name of this.namesOf(record)) this.blocked.ackAbandoned(name);
    delivery.settled = true;
  }

  /** Resolves with the error of each record, null if it is stored. Records which partitions accept records. */
  private async outcomesOf(publications: readonly Publication[], term: LeaseTerm): Promise<(Error | null)[]> {
    const outcomes = await Promise.all(publications.map(({ outcome }) => outcome.known));
    for (const [index, error] of outcomes.entries()) {
      const { record } = publications[index] as Publication;
      const taken = error === null || error instanceof RecordRefusedError;
      if (taken && this.blocked.isEmpty) continue;
      if (taken) for (const name of this.namesOf(record)) this.blocked.succeeded(name);
      else if (performance.now() < term.until) this.failed(String(record.key), this.partitionOf(record), error);
    }
    return outcomes;
  }

  private failed(key: string, partition: string, error: Error): void {
    const failures = this.blocked.failed(key, partition);
    if (failures > 0) outboxFailures.inc();
    if (shouldLog(failures))
      this.options.logger.warn(
        { err: error, partition, failures },
        'the outbox could not publish to a partition; orders with records for it wait',
      );
  }

  private async park(row: OutboxRow, refusal: RecordRefusedError): Promise<void> {
    const { key: poRef, position } = row;
    const { logger, pool } = this.options;
    logger.error({ err: refusal, poRef, position }, 'the broker rejected an outbox row permanently; the row is parked');
    await pool()
      .query('UPDATE outbox SET parked_reason = $2 WHERE position = $1', [position, refusal.message])
      .catch((error: unknown) =>
        logger.warn({ err: error, poRef }, 'the outbox row could not be parked; sending it again'),
      );
  }

  private partitionsOf({ key, messages }: OutboxRow): string[] {
    return messages.map(({ topic, headers }) => this.partitionOf({ topic, key, value: null, headers }));
  }

  private partitionOf(record: OutgoingRecord): string {
    return `${record.topic}/${this.options.producer.partitionOf(record)}`;
  }

  /** The partition names under which keys may be blocked: `partitionOf` returned -1 until the producer knew the topic. */
  private namesOf(record: OutgoingRecord): string[] {
    return [this.partitionOf(record), `${record.topic}/-1`];
  }
}

const refusalIn = (outcomes: readonly (Error | null)[]): RecordRefusedError | undefined =>
  outcomes.find((error) => error instanceof RecordRefusedError);
