import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@po/platform';
import kafkajs from 'kafkajs';
import { logTo } from './log.js';
import { kafkaJsModule } from './patches/patch-kafkajs.js';

const { logLevel } = kafkajs;
const { createErrorFromCode } = kafkaJsModule<{ createErrorFromCode: (code: number) => Error }>('protocol/error');
const MAX_RETRIES = 'KafkaJSNumberOfRetriesExceeded';

/** The level that our log gives what KafkaJS logs, and the whole line. */
function logged(level: number, message: string): Record<string, unknown> {
  let written = '';
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      written += String(chunk);
      done();
    },
  });
  const log = { timestamp: 't', logger: 'kafkajs', message, groupId: 'g', retryCount: 5, stack: 'at x' };
  logTo(createLogger('test', 'debug', sink))(level)({ namespace: 'Consumer', level, label: 'ERROR', log });
  return JSON.parse(written) as Record<string, unknown>;
}

describe("KafkaJS's log", () => {
  it.each([14, 15, 16])('tells of a group that is not ready yet (error %i) without warning', (code) => {
    const message = `Crash: ${MAX_RETRIES}: ${createErrorFromCode(code).message}`;
    expect(logged(logLevel.ERROR, message).level).toBe('info');
  });

  it('warns of every other crash of a consumer', () => {
    expect(logged(logLevel.ERROR, `Crash: ${MAX_RETRIES}: Connection timeout`)).toMatchObject({
      ...{ level: 'warn', msg: `Crash: ${MAX_RETRIES}: Connection timeout` },
      ...{ kafkajs: 'Consumer', groupId: 'g', retryCount: 5, service: 'test' },
    });
    expect(logged(logLevel.ERROR, `Crash: KafkaJSProtocolError: ${createErrorFromCode(25).message}`).level).toBe(
      'warn',
    );
  });

  it('leaves what a caller is told to the caller', () => {
    expect(logged(logLevel.ERROR, '[Connection] Response FindCoordinator').level).toBe('debug');
    expect(logged(logLevel.WARN, 'The group is rebalancing, re-joining').level).toBe('debug');
  });
});
