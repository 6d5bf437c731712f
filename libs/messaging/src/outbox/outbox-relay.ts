import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, pauseOf } from '@po/platform';
import type { Pool } from 'pg';
import { type KafkaPort, type ProducerPort, RecordTooLargeError } from '../kafka-port.js';
import { outboxAge, outboxFailures, outboxParked, outboxPending, outboxPublished } from '../metrics.js';
import { LEASE_MS, OutboxLeases } from './outbox-leases.js';
import { HandedOver } from './handed-over.js';
import { type OutboxEntry, shardOf } from './outbox.js';
import { type OutboxRow, pendingRows } from './pending-rows.js';
import { publish } from './publication.js';

interface OutboxRelayOptions {
  pool: () => Pool;
  kafka: KafkaPort;
  logger: Logger;
  instanceId: string;
  /** Puts the current state of these keys into the outbox anew, after an older one may have been sent last. */
  restate?: (keys: string[]) => Promise<void>;
}

/** A key of which something was sent, and the lease it was sent under. */
interface Sent {
  key: string;
  shard: number;
  fence: string | undefined;
}

const POLL_MS = 500;
/** How often it looks while there was something lately: what another instance commits wakes only that instance's relay. */
const BUSY_POLL_MS = 25;
const BUSY_FOR_MS = 2_000;
/** Between the starts of two batches: costs are per batch, on both sides of the broker. An idle relay publishes at once. */
const MIN_DISTANCE_MS = 5;
const RETRY = { firstMs: 200, lastMs: 2_000 };
const OBSERVE_MS = 5_000;

/**
 * Publishes outbox rows in `position` order per key, at least once, with any number of instances: each shard is published by the
 * holder of its lease. Reads pending rows, never from a cursor: positions are drawn in another order than transactions commit.
 */
export class OutboxRelay {
  private readonly leases: OutboxLeases;
  private readonly producer: ProducerPort;
  private connected = false;
  private stopping = false;
  private running: Promise<unknown> = Promise.resolve();
  private readonly stopped = new AbortController();
  private wakeUp = Promise.withResolvers<void>();
  private renewedAt = -Infinity;
  private publishedAt = -Infinity;
  /** Of the last batch, until its rows are deleted. */
  private unsettled: Sent[] = [];
  private readonly handedOver = new HandedOver();
  private readonly owner: string;

  constructor(private readonly options: OutboxRelayOptions) {
    // Two processes that were given one id by mistake must not take each other's leases for their own.
    this.owner = `${options.instanceId}/${randomUUID().slice(0, 8)}`;
    this.leases = new OutboxLeases(options.pool, this.owner);
    this.producer = options.kafka.producer({ acks: 'all', idempotent: true });
  }

  start(): void {
    this.running = Promise.all([this.run(), this.observe()]);
  }

  /** Something was committed: look now instead of at the next poll. `committed` are entries of which it need not read more than the rows. */
  wake(committed: readonly OutboxEntry[] = []): void {
    const held = this.leases.current;
    for (const entry of committed) if (held.has(shardOf(entry.key))) this.handedOver.add(entry);
    this.wakeUp.resolve();
  }

  /** Finishes the batch in flight, gives the leases up and disconnects. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.stopped.abort();
    this.wake();
    await this.running;
    await this.restateLost(this.leases.current).catch((error: unknown) =>
      this.options.logger.error({ err: error }, 'orders whose lease was lost were not restated'),
    );
    await this.leases
      .release()
      .catch((error: unknown) => this.options.logger.warn({ err: error }, 'outbox leases not released'));
    await this.producer.disconnect();
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.stopping) {
      this.wakeUp = Promise.withResolvers();
      const startedAt = performance.now();
      try {
        await this.renewLeases();
        const { published, more } = await this.publishBatch();
        failures = 0;
        if (published > 0) this.publishedAt = startedAt;
        if (!more) await this.pause(startedAt - this.publishedAt < BUSY_FOR_MS ? BUSY_POLL_MS : POLL_MS);
        const early = MIN_DISTANCE_MS - (performance.now() - startedAt);
        if (published > 0 && early > 0) await delay(early);
      } catch (error) {
        failures += 1;
        outboxFailures.inc();
        this.connected = false;
        // What is held by now decides what must be restated, not what was held when it was last asked.
        this.renewedAt = -Infinity;
        this.options.logger.warn({ err: error, failures }, 'the outbox could not be published; trying again');
        await delay(pauseOf(failures, RETRY), undefined, { ref: false });
      }
    }
  }

  private async renewLeases(): Promise<void> {
    if (performance.now() - this.renewedAt < LEASE_MS / 4) return;
    const lostSome = await this.leases.renew();
    // Another relay publishes what was handed over of those: it would be kept for nothing, and take the room of what comes.
    if (lostSome) this.handedOver.clear();
    this.renewedAt = performance.now();
  }

  private async publishBatch(): Promise<{ published: number; more: boolean }> {
    const nothing = { published: 0, more: false };
    const leases = new Map(this.leases.current);
    await this.restateLost(leases);
    if (leases.size === 0) return nothing;
    const { rows, more } = await pendingRows(this.options.pool(), [...leases.keys()], this.handedOver);
    if (rows.length === 0) return nothing;
    if (!this.connected) {
      await this.producer.connect();
      this.connected = true;
    }
    if (this.leases.current.size === 0) return nothing;
    this.unsettled = rows.map(({ key, shard }) => ({ key, shard, fence: leases.get(shard) }));
    const sent = await this.send(rows);
    // What was parked, too: its content would be kept for as long as a person takes.
    for (const { key, version } of rows) this.handedOver.remove(key, version);
    await this.remove(sent, leases);
    return { published: rows.length, more };
  }

  private async send(rows: OutboxRow[]): Promise<OutboxRow[]> {
    try {
      await publish(this.producer, rows);
      return rows;
    } catch (error) {
      if (!(error instanceof RecordTooLargeError)) throw error;
    }
    // Some row is too large, or only all of them together: one by one shows which.
    const sent: OutboxRow[] = [];
    const parkedKeys = new Set<string>();
    for (const row of rows) {
      if (parkedKeys.has(row.key)) continue;
      try {
        await publish(this.producer, [row]);
        sent.push(row);
      } catch (error) {
        if (!(error instanceof RecordTooLargeError)) throw error;
        parkedKeys.add(row.key);
        this.options.logger.error(
          { poRef: row.key, position: row.position },
          'an outbox row is too large for the broker and was parked',
        );
        await this.options
          .pool()
          .query('UPDATE outbox SET parked_reason = $2 WHERE position = $1', [row.position, error.message]);
      }
    }
    return sent;
  }

  // Delete after the broker acknowledged: a crash in between sends twice, and every consumer drops duplicates. The other order
  // would lose it.
  private async remove(sent: OutboxRow[], leases: ReadonlyMap<number, string>): Promise<void> {
    const { rowCount } = await this.options.pool().query({
      name: 'outbox-delete',
      text: `DELETE FROM outbox o USING outbox_leases l, unnest($2::smallint[], $3::bigint[]) AS held(shard, fence)
              WHERE o.position = ANY($1::bigint[]) AND l.shard = o.shard AND held.shard = l.shard
                AND l.fence = held.fence AND l.owner = $4`,
      values: [sent.map(({ position }) => position), [...leases.keys()], [...leases.values()], this.owner],
    });
    outboxPublished.inc(rowCount ?? 0);
    if (rowCount === sent.length) this.unsettled = [];
    // A lease was lost while this batch was under way.
    else this.renewedAt = -Infinity;
  }

  // Another relay may have sent newer states of these orders before the last batch arrived, or this one does not know whether it did
  // arrive. They stay noted until that is done: a database that is away must not make it forgotten. Under a lease that is still held
  // nobody else sent anything, and the rows that are left come again in their order.
  private async restateLost(leases: ReadonlyMap<number, string>): Promise<void> {
    const lost = this.unsettled.filter(({ shard, fence }) => leases.get(shard) !== fence);
    const keys = [...new Set(lost.map(({ key }) => key))];
    if (keys.length > 0) {
      this.options.logger.warn(
        { keys: keys.length },
        'an outbox lease was lost during a send; restating the orders concerned',
      );
      await this.options.restate?.(keys);
    }
    this.unsettled = [];
  }

  private async pause(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.wakeUp.promise, timeout]);
    clearTimeout(timer);
  }

  // Beside the publishing, not within it: while that fails or hangs is when one wants to know how much waits.
  private async observe(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await this.observeOnce().catch((error: unknown) =>
        this.options.logger.debug({ err: error }, 'the outbox could not be looked at'),
      );
      await delay(OBSERVE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async observeOnce(): Promise<void> {
    const { rows } = await this.options.pool().query<{ pending: string; parked: string; age: string | null }>(
      // What is parked waits for a person, and so do those behind it: their age says nothing of whether the others are published.
      `SELECT count(*) AS pending, count(parked_reason) AS parked,
              extract(epoch FROM clock_timestamp() - min(created_at) FILTER (
                WHERE key NOT IN (SELECT key FROM outbox WHERE parked_reason IS NOT NULL))) AS age FROM outbox`,
    );
    outboxPending.set(Number(rows[0]?.pending));
    outboxParked.set(Number(rows[0]?.parked));
    outboxAge.set(Number(rows[0]?.age ?? 0));
  }
}
