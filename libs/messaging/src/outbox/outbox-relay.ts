import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, endsWithin, pause, backOffMs, shouldLog } from '@po/platform';
import type { Pool } from 'pg';
import type { KafkaPort, ProducerPort } from '../kafka-port.js';
import { outboxFailures, outboxPublished } from '../metrics.js';
import { Deliveries, type Delivery } from './deliveries.js';
import { LEASE_MS, OutboxLeases } from './outbox-leases.js';
import { observeOutbox } from './outbox-metrics.js';
import { pendingRows } from './pending-rows.js';
import { OutboxRepublications } from './republications.js';

interface OutboxRelayOptions {
  pool: () => Pool;
  kafka: KafkaPort;
  logger: Logger;
  instanceId: string;
  /**
   * Writes the current state of a key to the outbox again, because an older state may have been stored last. Only for an outbox of
   * states, which has a table `outbox_restatements`; in an outbox of events, a late record is just a repeated event.
   */
  republish?: (key: string) => Promise<void>;
  /** Milliseconds after which no record sent under a lost lease can arrive any more. */
  republishAfterMs?: number;
  /** Milliseconds between two renewals of the leases. */
  renewEveryMs?: number;
}

const POLL_MS = 500;
/** Poll interval after recent rows: a commit of another instance wakes only the relay of that instance. */
const BUSY_POLL_MS = 25;
const BUSY_FOR_MS = 2_000;
/** Minimum time between the starts of two batches: producers and consumers pay per batch. An idle relay publishes at once. */
const MIN_DISTANCE_MS = 5;
/** This many blocked keys, which the query excludes, slow it down by 1 ms. The poll interval grows by the same amount. */
const WAITING_KEYS_PER_MS = 50;
const RETRY = { initialMs: 200, maxMs: 2_000 };
/** Longer than available brokers need. Pending sends to other brokers are left to the next owner of the lease. */
const STOP_TIMEOUT_MS = 5_000;
/** Includes the final statements, which need some seconds to detect a database that does not answer. */
export const RELAY_STOP_TIMEOUT_MS = 12_000;
/** A relay that lost its lease waits at most 6 s for an answer, and then closes its connection. */
const REPUBLISH_AFTER_MS = 10_000;

/**
 * Publishes outbox rows at least once, in `position` order per key. With any number of instances, the holder of a shard's lease
 * publishes the shard. There is no read cursor, because transactions commit in another order than they draw positions.
 */
export class OutboxRelay {
  private readonly leases: OutboxLeases;
  private readonly republications: OutboxRepublications | null;
  private readonly producer: ProducerPort;
  private readonly deliveries: Deliveries;
  private connected = false;
  private stopping = false;
  private publishing: Promise<unknown> = Promise.resolve();
  private background: Promise<unknown> = Promise.resolve();
  private readonly stopped = new AbortController();
  private wakeUp = Promise.withResolvers<void>();
  private renewNow = Promise.withResolvers<void>();
  private publishedAt = -Infinity;

  constructor(private readonly options: OutboxRelayOptions) {
    const { pool, kafka, logger, republish, republishAfterMs = REPUBLISH_AFTER_MS } = options;
    // The suffix keeps two processes that were given the same id by mistake from treating each other's leases as their own.
    const owner = `${options.instanceId}/${randomUUID().slice(0, 8)}`;
    this.leases = new OutboxLeases(pool, owner, republish !== undefined);
    this.republications = republish ? new OutboxRepublications(pool, republish, republishAfterMs) : null;
    this.producer = kafka.producer({ acks: 'all', idempotent: true });
    this.deliveries = new Deliveries({
      producer: this.producer,
      pool,
      logger,
      onSettled: () => this.wake(),
    });
  }

  start(): void {
    this.publishing = this.publish();
    this.background = Promise.all([
      this.keepLeases(),
      this.republishLost(),
      observeOutbox(this.options.pool, this.options.logger, this.stopped.signal),
    ]);
  }

  /** Reads new rows now instead of at the next poll. */
  wake(): void {
    this.wakeUp.resolve();
  }

  /** Finishes the batch in flight, releases the leases and disconnects. */
  async stop(): Promise<void> {
    const { logger } = this.options;
    this.stopping = true;
    this.wake();
    await this.publishing;
    await endsWithin(STOP_TIMEOUT_MS, this.deliveries.idle());
    await this.finish().catch((error: unknown) =>
      logger.error({ err: error }, 'published outbox rows could not be deleted'),
    );
    this.stopped.abort();
    this.renewNow.resolve();
    await this.background;
    await this.leases
      .release(this.deliveries.unsettledShards())
      .catch((error: unknown) => logger.warn({ err: error }, 'outbox leases could not be released'));
    await this.producer.disconnect();
  }

  private async publish(): Promise<void> {
    let failures = 0;
    while (!this.stopping) {
      this.wakeUp = Promise.withResolvers();
      const startedAt = performance.now();
      try {
        const { published, more } = await this.publishBatch();
        failures = 0;
        if (published) this.publishedAt = startedAt;
        const waiting = this.deliveries.waitingKeys / WAITING_KEYS_PER_MS;
        const busy = startedAt - this.publishedAt < BUSY_FOR_MS;
        if (!more) await endsWithin((busy ? BUSY_POLL_MS : POLL_MS) + waiting, this.wakeUp.promise);
        const early = MIN_DISTANCE_MS + (more ? 0 : waiting) - (performance.now() - startedAt);
        if (published && early > 0) await delay(early);
      } catch (error) {
        failures += 1;
        outboxFailures.inc();
        this.connected = false;
        this.logFailure(error, failures, 'the outbox could not be published; trying again');
        await delay(backOffMs(failures, RETRY), undefined, { ref: false });
      }
    }
  }

  // Runs apart from publishing, because a send may take longer than a lease.
  private async keepLeases(): Promise<void> {
    let failures = 0;
    while (!this.stopped.signal.aborted) {
      this.renewNow = Promise.withResolvers();
      try {
        await this.leases.renew();
        this.wakeUp.resolve();
        failures = 0;
      } catch (error) {
        failures += 1;
        this.logFailure(error, failures, 'outbox leases could not be renewed; trying again');
      }
      await endsWithin(this.pauseAfter(failures), this.renewNow.promise);
    }
  }

  // Runs apart from lease renewal, because republishing a hundred large orders takes longer than a lease.
  private async republishLost(): Promise<void> {
    for (let failures = 0; !this.stopped.signal.aborted;) {
      try {
        await this.republications?.republishDue([...this.leases.current.keys()], () => this.stopping);
        failures = 0;
      } catch (error) {
        failures += 1;
        this.logFailure(error, failures, 'orders to publish again could not be written to the outbox; trying again');
      }
      await pause(this.pauseAfter(failures), this.stopped.signal);
    }
  }

  private logFailure(error: unknown, failures: number, message: string): void {
    this.options.logger[shouldLog(failures) ? 'warn' : 'debug']({ err: error, failures }, message);
  }

  private pauseAfter(failures: number): number {
    const { renewEveryMs = LEASE_MS / 4 } = this.options;
    return failures > 0 ? backOffMs(failures, RETRY) : renewEveryMs;
  }

  private async publishBatch(): Promise<{ published: boolean; more: boolean }> {
    const nothing = { published: false, more: false };
    const [leases, term] = [this.leases.current, this.leases.term];
    if (leases.size === 0) return nothing;
    await this.finish();
    const { options, deliveries } = this;
    const { rows, more } = await pendingRows(options.pool(), {
      shards: [...leases.keys()],
      without: deliveries.unavailableKeys(),
    });
    if (rows.length === 0) return nothing;
    if (!this.connected) {
      await this.producer.connect();
      this.connected = true;
    }
    if (performance.now() > term.until) return nothing;
    const someWait = await deliveries.send(rows, leases, term);
    await this.finish();
    return { published: true, more: more || someWait };
  }

  // Deletes rows only after the broker acknowledged them. A crash in between sends them twice, and every consumer drops duplicates. The
  // reverse order would lose them.
  private async finish(): Promise<void> {
    const settled = this.deliveries.settled();
    if (settled.length === 0) return;
    const leases = this.leases.current;
    const kept = settled.filter(({ shard, fence }) => leases.get(shard) === fence);
    const left = await this.remove(kept);
    // Another relay may publish newer states of these keys before the records sent here arrive.
    const lost = settled.filter((delivery) => !kept.includes(delivery) || left.has(delivery));
    if (lost.length > 0) {
      this.renewNow.resolve();
      this.options.logger.warn(
        { keys: lost.length },
        'sent outbox rows could not be deleted: their lease was lost, or they were already deleted',
      );
      await this.republications?.mark(lost);
    }
    this.deliveries.remove(settled);
  }

  /** Deletes stored rows. Resolves with the deliveries of which a row was not deleted: their lease is lost, or the row is already gone. */
  private async remove(deliveries: readonly Delivery[]): Promise<Set<Delivery>> {
    const stored = deliveries.flatMap((delivery) => delivery.stored.map(({ position }) => ({ delivery, position })));
    if (stored.length === 0) return new Set();
    const { rows } = await this.options.pool().query<{ position: string }>({
      name: 'outbox-delete',
      text: `DELETE FROM outbox o
              USING outbox_leases l, unnest($1::bigint[], $2::bigint[]) AS stored(position, fence)
              WHERE o.position = stored.position AND l.shard = o.shard AND l.fence = stored.fence AND l.owner = $3
             RETURNING o.position`,
      values: [stored.map(({ position }) => position), stored.map(({ delivery }) => delivery.fence), this.leases.owner],
    });
    outboxPublished.inc(rows.length);
    const deleted = new Set(rows.map(({ position }) => position));
    return new Set(stored.filter(({ position }) => !deleted.has(position)).map(({ delivery }) => delivery));
  }
}
