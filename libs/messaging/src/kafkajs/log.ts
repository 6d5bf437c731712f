import { type Logger, isWorthALine } from '@po/platform';
import type { logCreator } from 'kafkajs';

/** Writes KafkaJS's log to ours. KafkaJS reports every retry as an error; the caller knows whether it is one, and logs it. */
export const logTo =
  (logger: Logger): logCreator =>
  () =>
  ({ namespace, log }) => {
    const { message, timestamp: _timestamp, logger: _name, stack: _stack, ...fields } = log;
    logger.debug({ kafkajs: namespace, ...fields }, message);
  };

/** Of the line about a failure: one alone is often a leader that moves, and what repeats is warned of, ever more rarely. */
export const levelOf = (failures: number): 'info' | 'warn' | 'debug' => {
  if (failures === 1) return 'info';
  return isWorthALine(failures) ? 'warn' : 'debug';
};
