import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Server, type Socket, createServer } from 'node:net';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { freezePerformanceClock } from '../fixtures/frozen-performance-clock.js';
import { LocalWindows } from './local-windows.js';
import { RateLimits } from './rate-limits.js';
import { SharedWindows, connectWindows } from './shared-windows.js';

const silent = pino({ level: 'silent' });

const one = { requests: 1, limit: 100_000 };

describe('LocalWindows', () => {
  it('drops the least recently used window when there are too many users', () => {
    const windows = new LocalWindows(1000);
    windows.take('first', one, 0);
    for (let index = 0; index < 20_000; index += 1) windows.take(`u${index}`, one, 1);
    expect(windows.take('first', one, 2).count).toBe(1);
    expect(windows.take('u19999', one, 2).count).toBe(2);
  });

  it('keeps the window of an active user while other users come', () => {
    const windows = new LocalWindows(1000);
    for (let index = 0; index < 20_000; index += 1) {
      windows.take(`u${index}`, one, 0);
      windows.take('busy', one, 0);
    }
    expect(windows.take('busy', one, 1).count).toBe(20_001);
  });
});

describe('rate limits without Redis', () => {
  let redis: ReturnType<typeof connectWindows>;
  let server: Server | undefined;
  afterEach(() => {
    jest.useRealTimers();
    redis.disconnect();
    server?.close();
  });
  const limitsOver = (connection: typeof redis, limits: { read: number; write: number }) => {
    redis = connection;
    return new RateLimits(new SharedWindows(redis, 60_000), new LocalWindows(60_000), { export: 0, ...limits });
  };

  it('are counted by this process, per user and kind, and 0 means no limit', async () => {
    const limits = limitsOver(connectWindows('redis://127.0.0.1:1', silent), { read: 0, write: 2 });
    await limits.admit('u', 'write', undefined, 0);
    await limits.admit('u', 'write', undefined, 10_000);
    await expect(limits.admit('u', 'write', undefined, 10_500)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      members: {},
      options: { headers: { 'retry-after': '50' }, hidden: { retryAfter: 50 } },
    });
    await limits.admit('other', 'write', undefined, 10_500);
    for (let index = 0; index < 1_000; index += 1) await limits.admit('u', 'read', undefined, 10_500);
    await limits.admit('u', 'write', undefined, 60_000);
  });

  it('wait for a hanging Redis once a second, not for every request', async () => {
    const sockets: Socket[] = [];
    let calls = 0;
    // Answers the handshake of a connection, then nothing.
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        if (data.includes('eval')) calls += 1;
        else socket.write('+OK\r\n'.repeat(data.toString().split('*').length - 1));
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const limits = limitsOver(connectWindows(`redis://127.0.0.1:${port}`, silent), { read: 5_000, write: 0 });
    // The breaker's clock is stopped: to the breaker all requests come at the same time, however long they take here.
    freezePerformanceClock();
    for (const seconds of [1, 2]) {
      await eventually('the connection is ready', () => redis.status === 'ready');
      for (let index = 0; index < 200; index += 1) await limits.admit('u', 'read');
      await eventually('Redis received one call', () => calls === seconds);
      jest.advanceTimersByTime(1_000);
    }
    for (const socket of sockets) socket.destroy();
  });
});
