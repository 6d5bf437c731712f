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

/** The parts of a service's process that exist before its own parts are created. */
export interface Service<C extends ServiceConfig> {
  name: string;
  config: C;
  logger: Logger;
  health: Health;
  /** This replica's name; random if none is configured. */
  instanceId: string;
  /** How to stop on a signal: these steps one after another, then traces and the management port. Call it once, before anything is waited for. */
  drainBy: (steps: DrainStep[]) => void;
}

/**
 * A service's life from its entry on: configuration, logger, metrics, traces, management port, start. What waiting cannot cure ends it with
 * one line and exit code 1; a bad configuration ended it with 78 before.
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
          // Longer than its own limit, which a collector that hangs takes.
          { name: 'traces', run: stopTracing, withinMs: 3_000 },
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
