import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@po/platform';
import kafkajs from 'kafkajs';
import { logTo } from './log.js';

const { logLevel } = kafkajs;

/** The log line written for a log entry of KafkaJS. */
function logged(level: number, message: string): Record<string, unknown> {
  let written = '';
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      written += String(chunk);
      done();
    },
  });
  const log = { timestamp: 't', logger: 'kafkajs', message, groupId: 'g', retryCount: 5, stack: 'at x' };
  logTo(createLogger('test', 'debug', sink))(level)({ namespace: 'Connection', level, label: 'ERROR', log });
  return JSON.parse(written) as Record<string, unknown>;
}

describe("KafkaJS's log", () => {
  it('is written only at debug level, including errors, which callers receive anyway', () => {
    expect(logged(logLevel.ERROR, '[Connection] Response FindCoordinator')).toMatchObject({
      level: 'debug',
      msg: '[Connection] Response FindCoordinator',
      kafkajs: 'Connection',
      groupId: 'g',
      retryCount: 5,
      service: 'test',
    });
    expect(logged(logLevel.WARN, 'The group is rebalancing, re-joining').level).toBe('debug');
  });
});
