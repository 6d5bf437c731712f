import type { Health } from './health.js';
import type { Logger } from '../logger.js';
import { endsWithin } from '../back-off.js';

export interface DrainStep {
  name: string;
  run: () => unknown;
  /** Milliseconds after which the step is abandoned and the next one runs; 2,000 if absent. */
  timeoutMs?: number;
}

interface ShutdownOptions {
  health: Health;
  logger: Logger;
  /** Milliseconds between failing readiness and the first step, so that load balancers notice. */
  drainDelayMs: number;
  /** Run in sequence: stop accepting, finish in-flight work, commit offsets, leave groups, close pools. */
  steps: readonly DrainStep[];
}

/** Limit for all steps together, whatever the limit of each. The orchestrator's kill timeout is based on it. */
export const DRAIN_TIMEOUT_MS = 20_000;
const STEP_TIMEOUT_MS = 2_000;

/** Drains on SIGTERM or SIGINT and exits with 0. A second signal exits immediately with 1. */
export function drainOnSignal({ health, logger, drainDelayMs, steps }: ShutdownOptions): void {
  let draining = false;
  const drain = async (signal: string) => {
    if (draining) process.exit(1);
    draining = true;
    logger.info({ signal }, 'draining');
    health.startDraining();
    await new Promise((resolve) => setTimeout(resolve, drainDelayMs));
    await runDrainSteps(steps, logger);
    logger.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const earlier = process.listeners(signal);
    process.on(signal, () => void drain(signal));
    // Removed only after the new listener is set: without any listener, a signal that is already pending would be lost.
    for (const listener of earlier) process.off(signal, listener);
  }
}

/** Runs the steps in sequence. A step that fails or exceeds its limit is logged, and the next one runs. */
export async function runDrainSteps(steps: readonly DrainStep[], logger: Logger): Promise<void> {
  const deadline = performance.now() + DRAIN_TIMEOUT_MS;
  for (const { name, run, timeoutMs = STEP_TIMEOUT_MS } of steps) {
    try {
      const isOver = await endsWithin(
        Math.min(timeoutMs, Math.max(0, deadline - performance.now())),
        Promise.resolve().then(run),
      );
      if (!isOver) logger.error({ step: name }, 'a drain step took too long and was skipped');
    } catch (error) {
      logger.error({ err: error, step: name }, 'a drain step failed');
    }
  }
}
