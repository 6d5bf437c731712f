import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { TOPICS } from '@po/contracts';
import { ContentError, type IncomingRecord, type KafkaPort, readTopic } from '@po/messaging';
import { type Logger, counterFromZero, shouldLog } from '@po/platform';
import { type Breaker, waitUntilConnected } from '@po/redis';
import { Gauge } from 'prom-client';
import type { ProjectionRedis } from '../projection/connection.js';
import type { Counters } from '../projection/counters.js';
import { RebuildAttempt } from './rebuild-attempt.js';
import type { Keys } from '../projection/keys.js';
import { orderStateOf } from '../projection/order-state.js';

export interface RebuilderOptions {
  kafka: KafkaPort;
  /** Consumer group whose committed offsets show what Redis has already confirmed. */
  group: string;
  counters: Counters;
  /** The connection that `counters` uses. */
  redis: ProjectionRedis;
  /** Opens a connection for bulk writes, with a timeout that suits them. */
  connect: () => ProjectionRedis;
  keys: Keys;
  breaker: Breaker;
  logger: Logger;
  /** Milliseconds between two checks of Redis. */
  everyMs?: number;
  /** Milliseconds after which another process takes over from a dead rebuilder. */
  lockMs?: number;
}

/** Newest state of an order on the topic: its version, and its offset in the order's partition. */
interface Newest {
  version: number;
  offset: number;
}

const EVERY_MS = 1_000;
const LOCK_MS = 10_000;
/** A rebuild that reads nothing for this long gives up: another process may have a better connection to Kafka. */
const STALLED_MS = 30_000;
const CONNECT_MS = 5_000;
const WRITES_IN_FLIGHT = 128;

const projectionGeneration = new Gauge({
  name: 'projection_generation',
  help: 'Active generation: start of its rebuild in epoch milliseconds. 0: none, answers come from PostgreSQL',
});
const rebuilds = counterFromZero('projection_rebuilds_total', 'Rebuilds of the projection that this process ran', {
  outcome: ['finished', 'failed'],
});

/**
 * Monitors the projection and rebuilds it from `po.state.v1` if Redis has none or lost part of it. Only one process builds at a time; if it
 * dies, another takes over.
 */
export class Rebuilder {
  private readonly stopping = new AbortController();
  private watching: Promise<void> = Promise.resolve();
  private work: Promise<void> | null = null;
  /** Number of the copy of the data that the connection may now serve. */
  private copy = 0;
  private verifiedCopy = -1;

  constructor(private readonly options: RebuilderOptions) {
    // A new connection or another cluster node may serve another copy of the data.
    for (const event of ['close', '-node'] as const) {
      options.redis.on(event, () => {
        this.copy += 1;
        options.breaker.open();
      });
    }
  }

  start(): void {
    this.watching = this.watch();
  }

  /** Aborts a running rebuild and releases its lock. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the process stops'));
    await this.watching;
    await this.work;
  }

  /** Checks once whether Redis answers and has a complete projection. Rebuilds run in the background. */
  async checkOnce(): Promise<void> {
    const { breaker, counters, logger } = this.options;
    const { copy } = this;
    // First, because a write to this copy could hide that older ones were lost.
    if (this.verifiedCopy !== copy) await this.verify(copy);
    const { generation, hasLostRecords } = await breaker.probe(async () => {
      const checked = await counters.check();
      if (this.copy !== copy) throw new Error('the connection was lost during the check');
      return checked;
    });
    projectionGeneration.set(Number(generation ?? 0));
    if (hasLostRecords) logger.error('Redis lost confirmed records; rebuilding the projection');
    if (generation !== null) return;
    this.work ??= this.rebuild()
      .catch((error: unknown) => logger.warn({ err: error }, 'the projection could not be maintained'))
      .finally(() => {
        this.work = null;
      });
  }

  /** Builds a generation unless one exists or another process is building it. Rejects on failure; the next check retries. */
  async rebuild(): Promise<void> {
    const { keys, connect, logger, lockMs = LOCK_MS } = this.options;
    const redis = connect();
    try {
      await waitUntilConnected(redis, AbortSignal.any([this.stopping.signal, AbortSignal.timeout(CONNECT_MS)]));
      // The last check may be outdated: a generation may have been finished since.
      const build = await RebuildAttempt.begin(redis, keys, randomUUID(), lockMs);
      if (!build) return;
      const startedAt = performance.now();
      logger.info({ generation: build.generation }, 'rebuilding the projection');
      try {
        const records = await this.fill(build);
        await build.finish();
        rebuilds.inc({ outcome: 'finished' });
        const durationMs = Math.round(performance.now() - startedAt);
        logger.info({ generation: build.generation, records, durationMs }, 'the projection was rebuilt');
      } catch (error) {
        rebuilds.inc({ outcome: 'failed' });
        await build.abandon();
        throw error;
      }
    } finally {
      redis.disconnect();
    }
  }

  private async watch(): Promise<void> {
    const { everyMs = EVERY_MS, redis, logger } = this.options;
    const { signal } = this.stopping;
    // An earlier check would fail, and every event until the next check would be delayed with a warning.
    await waitUntilConnected(redis, AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)])).catch(() => undefined);
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.checkOnce();
        failures = 0;
      } catch (error) {
        failures += 1;
        projectionGeneration.set(0);
        logger[shouldLog(failures) ? 'warn' : 'debug']({ err: error, failures }, 'the projection cannot be used');
      }
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  // Copies the topic into the build, but only the newest state of each order: older ones may have status changes that were lost in a
  // restore of PostgreSQL. Live events also go to the build since its start, so it is complete at the end.
  private async fill(build: RebuildAttempt): Promise<number> {
    const { kafka, lockMs = LOCK_MS } = this.options;
    const lost = new AbortController();
    let lastAt = performance.now();
    const renewal = setInterval(() => {
      if (performance.now() - lastAt > STALLED_MS) lost.abort(new Error('Kafka delivers no records'));
      else build.renew(lockMs).catch((error: unknown) => lost.abort(error));
    }, lockMs / 3);
    let records = 0;
    let writes: Promise<void>[] = [];
    try {
      await build.clean();
      const signal = AbortSignal.any([lost.signal, this.stopping.signal]);
      const newest = new Map<string, Newest>();
      const note = (record: IncomingRecord) => {
        lastAt = performance.now();
        this.note(record, newest);
      };
      await readTopic(kafka, TOPICS.state, note, { signal });
      await readTopic(
        kafka,
        TOPICS.state,
        async (record) => {
          lastAt = performance.now();
          records += 1;
          const write = this.write(build, record, newest);
          // Awaited later; an earlier rejection must not count as unhandled, which would end the process.
          write.catch(() => undefined);
          writes.push(write);
          if (writes.length < WRITES_IN_FLIGHT) return;
          const flight = writes;
          writes = [];
          await Promise.all(flight);
        },
        { signal },
      );
      await Promise.all(writes);
      return records;
    } finally {
      clearInterval(renewal);
      await Promise.allSettled(writes);
    }
  }

  private note(record: IncomingRecord, newest: Map<string, Newest>): void {
    if (record.unreadable !== undefined) {
      const { topic, partition, unreadable } = record;
      this.options.logger.error({ topic, partition, unreadable }, 'orders may be missing: run republish --all');
      return;
    }
    try {
      const { poRef, poVersion: version } = orderStateOf(record);
      // The last record of a version wins, because compaction may remove the others during the rebuild.
      if (version >= (newest.get(poRef)?.version ?? 0)) newest.set(poRef, { version, offset: Number(record.offset) });
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      const { topic, partition, offset } = record;
      const place = { partition: `${topic}/${partition}`, offset, reason: error.message };
      this.options.logger.warn(place, 'a record on the topic is skipped');
    }
  }

  private write(build: RebuildAttempt, record: IncomingRecord, newest: ReadonlyMap<string, Newest>): Promise<void> {
    const position = { partition: `${record.topic}/${record.partition}`, offset: record.offset };
    const isNewest = newest.get(record.key?.toString('utf8') ?? '')?.offset === Number(record.offset);
    return build.write(position, isNewest ? orderStateOf(record) : null);
  }

  // Redis had confirmed everything that the group has committed. If it has less now, it lost data while this process was not watching.
  private async verify(copy: number): Promise<void> {
    const { kafka, group, counters, logger, redis, keys } = this.options;
    const generation = await redis.get(keys.current);
    if (generation === null) return;
    const [, policy = ''] = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory')) ?? [];
    // Counts have no expiry, so other policies keep them. An evicted count would be read as 0.
    if (policy.startsWith('allkeys-'))
      logger.error({ policy }, 'Redis may evict counts that are in use: set maxmemory-policy to noeviction');
    const admin = await kafka.admin();
    try {
      const committed = await admin.committed(group, TOPICS.state);
      const positions = await counters.positions(generation);
      const behind = committed.filter(
        ({ partition, offset }) => (positions.get(`${TOPICS.state}/${partition}`) ?? -1n) < BigInt(offset) - 1n,
      );
      if (behind.length > 0 && (await counters.discard(generation))) {
        logger.error({ partitions: behind.length }, 'Redis is behind the committed offsets; rebuilding the projection');
      }
      this.verifiedCopy = copy;
    } finally {
      await admin.close();
    }
  }
}
