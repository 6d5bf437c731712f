import { type Logger, createLogger } from './logger.js';
import { startMetrics } from './telemetry.js';

/**
 * A service's life from its entry on: configuration, logger, metrics, start. What waiting cannot cure ends it with one line and
 * exit code 1; a bad configuration ended it with 78 before.
 */
export async function runService<C extends { LOG_LEVEL: string }>(
  service: string,
  readConfig: () => C,
  start: (service: string, config: C, logger: Logger) => Promise<void>,
): Promise<void> {
  const config = readConfig();
  const logger = createLogger(service, config.LOG_LEVEL);
  startMetrics(service);
  try {
    await start(service, config, logger);
  } catch (error) {
    logger.fatal({ err: error }, 'the service could not start');
    process.exit(1);
  }
}
