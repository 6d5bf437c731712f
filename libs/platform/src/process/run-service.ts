import { randomUUID } from 'node:crypto';
import { Health, reportReadiness, startManagement } from './health.js';
import { type Logger, createLogger } from '../logger.js';
import { type DrainStep, drainOnSignal } from './shutdown.js';
import type { OtlpSettings } from '../configuration/otlp-settings.js';
import { startMetrics } from './telemetry.js';
import { startTracing } from '../tracing/tracing.js';

/** The configuration of every service; part of `commonSettings`. */
export interface ServiceConfig extends OtlpSettings {
  LOG_LEVEL: string;
  MANAGEMENT_HOST: string;
  MANAGEMENT_PORT: number;
  DRAIN_DELAY_MS: number;
  INSTANCE_ID?: string | undefined;
}

/** Common parts of a service process, which exist before the service creates its own. */
export interface Service<C extends ServiceConfig> {
  name: string;
  config: C;
  logger: Logger;
  health: Health;
  /** This replica's name; random if none is configured. */
  instanceId: string;
  /** Registers the drain on a signal: these steps in order, then traces and management port. Call it once, before waiting for anything. */
  drainBy: (steps: DrainStep[]) => void;
}

/**
 * Runs a service: configuration, logger, metrics, traces, management port, start. A failure that waiting cannot fix ends the process
 * with one log line and exit code 1. A bad configuration exits with 78 before that.
 */
export async function runService<C extends ServiceConfig>(
  name: string,
  readConfig: () => C,
  start: (service: Service<C>) => Promise<void>,
): Promise<void> {
  const config = readConfig();
  const { LOG_LEVEL, MANAGEMENT_HOST: host, MANAGEMENT_PORT: port, DRAIN_DELAY_MS: drainDelayMs } = config;
  const logger = createLogger(name, LOG_LEVEL);
  startMetrics(name);
  try {
    const health = new Health();
    reportReadiness(health);
    const instanceId = config.INSTANCE_ID ?? randomUUID();
    const stopTracing = await startTracing(config, { service: name, instanceId, logger });
    const management = await startManagement({ service: name, host, port, health, logger });
    await start({
      name,
      config,
      logger,
      health,
      instanceId,
      drainBy: (own) => {
        const steps = [
          ...own,
          // Longer than the limit of the last export, which a hanging collector uses up.
          { name: 'traces', run: stopTracing, timeoutMs: 3_000 },
          { name: 'management port', run: () => management.close() },
        ];
        drainOnSignal({ health, logger, drainDelayMs, steps });
      },
    });
  } catch (error) {
    logger.fatal({ err: error }, 'the service could not start');
    process.exit(1);
  }
}
