import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { type Logger, createLogger } from './logger.js';

function lineOf(level: string, log: (logger: Logger) => void): Record<string, unknown> {
  let written = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  log(createLogger('test', level, sink));
  return JSON.parse(written) as Record<string, unknown>;
}

const failure = Object.assign(new TypeError('the query failed', { cause: new Error('read ECONNRESET') }), {
  code: 'ECONNRESET',
  parameters: ['dana@example.com'],
  client: { secretKey: 1 },
});
const WRITTEN = { type: 'TypeError', message: 'the query failed: read ECONNRESET', code: 'ECONNRESET' };

describe('an error in the log', () => {
  it('contains no data of the request', () => {
    expect(lineOf('info', (logger) => logger.error({ err: failure }, 'broke'))).toMatchObject({
      msg: 'broke',
      err: { ...WRITTEN, stack: expect.any(String) },
    });
    for (const log of [
      (logger: Logger) => logger.error({ err: failure }),
      (logger: Logger) => logger.error(failure),
      (logger: Logger) => logger.warn({ err: failure }),
    ]) {
      expect(JSON.stringify(lineOf('debug', log))).not.toMatch(/dana|secretKey/);
    }
  });

  it('has the messages of all addresses of a host name, also as a cause', () => {
    const refused = new AggregateError([new Error('connect ECONNREFUSED ::1:1'), new Error('timed out')]);
    for (const [err, message] of [
      [refused, 'connect ECONNREFUSED ::1:1; timed out'],
      [new TypeError('fetch failed', { cause: refused }), 'fetch failed: connect ECONNREFUSED ::1:1; timed out'],
    ])
      expect(lineOf('info', (logger) => logger.warn({ err }))).toHaveProperty('err.message', message);
  });

  it('has no stack trace below level error, unless debug is enabled', () => {
    expect(lineOf('info', (logger) => logger.warn({ err: failure }, 'trying again')).err).toEqual(WRITTEN);
    expect(lineOf('debug', (logger) => logger.warn({ err: failure }, 'trying again')).err).toHaveProperty('stack');
  });
});
