import type { Logger } from '@po/platform';
import kafkajs, { type logCreator } from 'kafkajs';

const { logLevel } = kafkajs;

/** What brokers answer until they know a group, as after their start or when its coordinator moved: KafkaJS begins anew by itself. */
const PASSING = /coordinator is loading|coordinator is not available|not the correct coordinator/;

/**
 * KafkaJS's log over ours. It reports every retry as an error; whoever made the call knows whether it is one, and logs that. Only the
 * crash of a consumer has no caller.
 */
export const logTo =
  (logger: Logger): logCreator =>
  () =>
  ({ level, namespace, log }) => {
    const { message, timestamp: _timestamp, logger: _name, stack: _stack, ...fields } = log;
    const isCrash = level === logLevel.ERROR && message.startsWith('Crash');
    const severity = !isCrash ? 'debug' : PASSING.test(message) ? 'info' : 'warn';
    logger[severity]({ kafkajs: namespace, ...fields }, message);
  };
