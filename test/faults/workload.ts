import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@po/testing/eventually';
import { Attempts } from './attempts.js';
import type { Operation } from './operation-log.js';
import type { Random } from './random.js';
import { RECOVERY_MS } from './recovery.js';
import { WorkloadMix } from './workload-mix.js';
import { type World, gatewaysOf } from './world.js';

export interface LoadOptions {
  scenario: string;
  random: Random;
  /** Maximum number of operations, after which the load ends by itself. */
  limit?: number | undefined;
  workers?: number | undefined;
  /** Minimum and maximum pause between two operations of a worker, in milliseconds. */
  pauseMs?: readonly [number, number] | undefined;
  /** Returns the gateway of the next call; round-robin if absent. */
  gateway?: () => number;
}

/** A running load of users and the inventory system. */
export interface Load {
  /** Resolves when this number of operations has started since the call, or the limit is reached. */
  more: (operations: number) => Promise<void>;
  /** Resolves when this number of user writes has been acknowledged since the call. Rejects after `RECOVERY_MS`, or if the load ends before. */
  served: (operations: number) => Promise<void>;
  /** Retries the operations with an unknown outcome that may be retried: a key from the gateway is kept for 10 minutes. */
  settle: () => Promise<void>;
  /** Ends the load and settles the operations with an unknown outcome that may be retried. */
  finish: () => Promise<void>;
}

/** Short enough for several operations in flight at any moment, long enough to bound the run. */
const PAUSE_MS: readonly [number, number] = [20, 120];
/** Pause after a failure, so that an outage of a minute does not fill the log. */
const PAUSE_AFTER_FAILURE_MS = 700;
/** Enough operations to keep users at work until the longest fault is over. */
const LIMIT = 20_000;

/** Starts workers that draw operations from the mix until `finish`. */
export function startLoad(
  world: World,
  { scenario, random, limit = LIMIT, workers = 8, pauseMs = PAUSE_MS, gateway }: LoadOptions,
): Load {
  let turn = 0;
  const gateways = gatewaysOf(world);
  const attempts = new Attempts(world, random, gateway ?? (() => (turn += 1) % gateways.length));
  const mix = new WorkloadMix(world, { scenario, random, attempts });
  let started = 0;
  let stopped = false;
  const work = async () => {
    while (!stopped && started < limit) {
      started += 1;
      const outcome = await mix.next();
      const failed = outcome.kind === 'unknown' || (outcome.kind === 'refused' && outcome.status === 503);
      await delay(failed ? PAUSE_AFTER_FAILURE_MS : random.int(...pauseMs));
    }
  };
  let hasEnded = false;
  const running = Promise.all(Array.from({ length: workers }, work)).then(() => void (hasEnded = true));
  return {
    more: async (operations) => {
      const goal = started + operations;
      const reached = async () => {
        while (started < goal && started < limit && !stopped) await delay(10);
      };
      await Promise.race([reached(), running]);
    },
    served: async (operations) => {
      const from = world.log.operations.length;
      const acknowledged = () => world.log.operations.slice(from).filter(isAcknowledgedWrite).length;
      await eventually(`${operations} writes are acknowledged`, () => acknowledged() >= operations, {
        timeoutMs: RECOVERY_MS,
        giveUp: () =>
          hasEnded ? new Error(`the load ended before ${operations} writes were acknowledged`) : undefined,
      });
    },
    settle: () => attempts.settle(),
    finish: async () => {
      stopped = true;
      await running;
      await attempts.settle();
    },
  };
}

/** Excludes reads, which may succeed while no write can be stored, and source messages, which wait in Kafka. */
const isAcknowledgedWrite = ({ kind, attempts }: Operation): boolean =>
  kind !== 'read' && kind !== 'source' && attempts.some((attempt) => attempt.kind === 'acknowledged');
