import { type Logger, shouldLog } from '@po/platform';
import type { logCreator } from 'kafkajs';

/** Writes KafkaJS's log to `logger` at debug level: KafkaJS reports every retry as an error, and callers log the real errors. */
export const logTo =
  (logger: Logger): logCreator =>
  () =>
  ({ namespace, log }) => {
    const { message, timestamp: _timestamp, logger: _name, stack: _stack, ...fields } = log;
    logger.debug({ kafkajs: namespace, ...fields }, message);
  };

/** Log level of a failure. A single one is often a moving leader; repeated failures are warnings, at increasing intervals. */
export const levelOf = (failures: number): 'info' | 'warn' | 'debug' => {
  if (failures === 1) return 'info';
  return shouldLog(failures) ? 'warn' : 'debug';
};
