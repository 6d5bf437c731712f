import type { Pool } from 'pg';
import { Counter, Gauge } from 'prom-client';

type Observed = Pick<Pool, 'idleCount' | 'totalCount' | 'waitingCount' | 'options'>;

/** Pools of this process by name. They are read when metrics are scraped, because events describe an earlier state. */
const pools = new Map<string, Observed>();

new Gauge({
  name: 'db_pool_connections',
  help: 'Connections of a pool, by state; waiting: requests without a connection',
  labelNames: ['pool', 'state'],
  collect() {
    for (const [pool, { idleCount, totalCount, waitingCount }] of pools) {
      this.set({ pool, state: 'idle' }, idleCount);
      this.set({ pool, state: 'busy' }, totalCount - idleCount);
      this.set({ pool, state: 'waiting' }, waitingCount);
    }
  },
});
new Gauge({
  name: 'db_pool_size',
  help: 'Connections that a pool may have',
  labelNames: ['pool'],
  collect() {
    for (const [pool, { options }] of pools) this.set({ pool }, options.max);
  },
});
const waits = new Counter({
  name: 'db_pool_waits_total',
  help: 'Requests that waited for a connection to become free or to open',
  labelNames: ['pool'],
});
const waitSeconds = new Counter({
  name: 'db_pool_wait_seconds_total',
  help: 'Total time that requests waited for a connection',
  labelNames: ['pool'],
});

/** Adds a pool to the metrics under this name. */
export function observePool(name: string, pool: Observed): void {
  pools.set(name, pool);
  waits.inc({ pool: name }, 0);
  waitSeconds.inc({ pool: name }, 0);
}

/** Records that a request waited `ms` for a connection of this pool. */
export function recordPoolWait(name: string, ms: number): void {
  waits.inc({ pool: name });
  waitSeconds.inc({ pool: name }, ms / 1_000);
}
