import type { Health } from './health.js';
import type { Logger } from './logger.js';

export interface DrainStep {
  name: string;
  run: () => unknown;
}

interface ShutdownOptions {
  health: Health;
  logger: Logger;
  /** Milliseconds between failing readiness and the first step, so that load balancers notice. */
  drainDelayMs: number;
  /** Run one after another: stop accepting, finish in-flight work, commit offsets, leave groups, close pools. */
  steps: readonly DrainStep[];
}

/** Drains on SIGTERM or SIGINT and exits 0; a second signal exits 1 at once. A failing step is logged and the next one runs. */
export function drainOnSignal({ health, logger, drainDelayMs, steps }: ShutdownOptions): void {
  let draining = false;
  const drain = async (signal: string) => {
    if (draining) process.exit(1);
    draining = true;
    logger.info({ signal }, 'draining');
    health.startDraining();
    await new Promise((resolve) => setTimeout(resolve, drainDelayMs));
    for (const { name, run } of steps) {
      try {
        await run();
      } catch (error) {
        logger.error({ err: error, step: name }, 'a drain step failed');
      }
    }
    logger.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void drain(signal));
  process.on('SIGINT', (signal) => void drain(signal));
}
