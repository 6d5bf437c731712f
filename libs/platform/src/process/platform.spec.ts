import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { VERSION } from '../configuration/config.js';
import { waitForDependency } from './dependency.js';
import { Health, reportReadiness, startManagement } from './health.js';
import { createLogger, withLogContext } from '../logger.js';
import { DistinctValueLimit, metricsRegistry } from './telemetry.js';

const silent = pino({ level: 'silent' });

const refusedTwice = () =>
  new AggregateError([new Error('connect ECONNREFUSED ::1:1'), new Error('connect ECONNREFUSED 127.0.0.1:1')]);

describe('health', () => {
  it('reports why it is not ready; while draining it is alive but not ready', async () => {
    const health = new Health();
    let database = false;
    health.addReadiness('database', () => database || 'still connecting');
    const management = await startManagement({ service: 'test', host: '127.0.0.1', port: 0, health, logger: silent });
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${management.port}${path}`);
      return { status: response.status, text: await response.text() };
    };
    expect(await get('/readyz')).toEqual({
      status: 503,
      text: '{"status":"not ready","reasons":["database: still connecting"]}',
    });
    database = true;
    expect((await get('/readyz')).status).toBe(200);
    health.startDraining();
    expect((await get('/readyz')).text).toContain('draining');
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/metrics')).status).toBe(200);
    expect((await get('/version')).text).toContain(`"service":"test","version":"${VERSION}"`);
    expect((await get('/x')).status).toBe(404);
    await management.close();
  });

  it('reports each readiness check as a metric that is evaluated at the scrape', async () => {
    const health = new Health();
    reportReadiness(health);
    let schema: true | string = 'two migrations are missing';
    health.addReadiness('schema', () => schema);
    health.addReadiness('kafka', () => true);
    const reported = async () => (await metricsRegistry.metrics()).match(/^app_readiness\{.*$/gm);
    expect(await reported()).toEqual(['app_readiness{check="schema"} 0', 'app_readiness{check="kafka"} 1']);
    schema = true;
    expect(await reported()).toEqual(['app_readiness{check="schema"} 1', 'app_readiness{check="kafka"} 1']);
  });

  it('reports a busy port and the variable that changes it', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const taken = (server.address() as AddressInfo).port;
    const starting = startManagement({
      service: 'test',
      host: '127.0.0.1',
      port: taken,
      health: new Health(),
      logger: silent,
    });
    await expect(starting).rejects.toThrow(`port ${taken} on 127.0.0.1 is in use; set MANAGEMENT_PORT to another one`);
    await new Promise((resolve) => server.close(resolve));
  });

  it('waits for a dependency, names it in readiness, and continues when it is available', async () => {
    const health = new Health();
    let attempts = 0;
    const reasons: string[][] = [];
    const goesOn = await waitForDependency(
      'PostgreSQL',
      () => {
        attempts += 1;
        reasons.push(health.notReady());
        return attempts < 2 ? Promise.reject(new Error('connection refused')) : Promise.resolve();
      },
      { health, logger: silent },
    );
    expect(goesOn).toBe(true);
    expect(reasons.at(-1)).toEqual(['PostgreSQL: waiting for PostgreSQL: connection refused']);
    expect(health.notReady()).toEqual([]);
  });

  it('names every address of a dependency whose host name has several', async () => {
    const health = new Health();
    let reasons: string[] = [];
    const open = () => {
      reasons = health.notReady();
      return reasons[0]?.endsWith('not tried yet') ? Promise.reject(refusedTwice()) : Promise.resolve();
    };
    await waitForDependency('Redis', open, { health, logger: silent });
    expect(reasons).toEqual(['Redis: waiting for Redis: connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1']);
  });

  it('stops waiting for a dependency as soon as draining starts between two attempts', async () => {
    const health = new Health();
    let attempts = 0;
    const open = () => {
      attempts += 1;
      return Promise.reject(new Error('connection refused'));
    };
    let goesOn: boolean | undefined;
    void waitForDependency('PostgreSQL', open, { health, logger: silent }).then((answer) => (goesOn = answer));
    await immediate();
    health.startDraining();
    await immediate();
    expect({ goesOn, attempts }).toEqual({ goesOn: false, attempts: 1 });
  });

  it.each([
    ['fails', () => Promise.reject(new Error('connection refused'))],
    ['succeeds', () => Promise.resolve()],
  ])('neither continues nor logs if draining starts during an attempt that %s', async (_, outcome) => {
    const health = new Health();
    const lines: string[] = [];
    const logger = pino({}, { write: (line) => void lines.push(line) });
    let attempts = 0;
    const open = () => {
      attempts += 1;
      health.startDraining();
      return outcome();
    };
    expect(await waitForDependency('PostgreSQL', open, { health, logger })).toBe(false);
    expect(await waitForDependency('schema', open, { health, logger })).toBe(false);
    expect({ attempts, lines }).toEqual({ attempts: 1, lines: [] });
  });
});

describe('telemetry', () => {
  it('keeps only the first distinct values as separate labels', () => {
    const values = new DistinctValueLimit(2);
    expect(['a', 'b', 'a', 'c', 'b', 'c'].map((value) => values.accepts(value))).toEqual([
      true,
      true,
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('logs', () => {
  it('adds the ids of the request, and no other fields of earlier lines, to every line logged during it', () => {
    const lines: string[] = [];
    const sink = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
    const logger = createLogger('test', 'info', sink);
    withLogContext({ requestId: 'r-1', traceId: 't-1' }, () => {
      logger.info({ err: new Error('failed') }, 'first attempt');
      logger.info('inside');
    });
    logger.debug('too quiet');
    logger.warn('outside');
    const [first, inside, outside, ...rest] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(inside).toMatchObject({ level: 'info', service: 'test', requestId: 'r-1', traceId: 't-1', msg: 'inside' });
    expect(first).toMatchObject({ requestId: 'r-1', err: { message: 'failed' } });
    expect(inside).not.toHaveProperty('err');
    expect(inside?.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(outside).toMatchObject({ level: 'warn', msg: 'outside' });
    expect(outside).not.toHaveProperty('requestId');
    expect(rest).toEqual([]);
  });
});
