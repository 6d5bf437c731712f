import { randomUUID } from 'node:crypto';
import { ALL_USERS } from '@po/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { userHash } from '@po/redis';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { redisUrl } from '@po/testing/stores';
import { TcpProxy } from '@po/testing/tcp-proxy';
import { connectInboxSignals } from './inbox-signals.js';

const ENTRIES = 200;

describe('the signals about changed inboxes', () => {
  let key: string;
  let proxy: TcpProxy;
  let reader: Redis;
  let connection: ReturnType<typeof connectInboxSignals>;

  beforeEach(async () => {
    key = `test-${randomUUID()}`;
    proxy = await TcpProxy.to(new URL(redisUrl()));
    reader = new Redis(redisUrl());
    // On a busy machine Redis may answer after the default timeout, and the service would then signal ALL_USERS.
    await connect({ timeoutMs: 10_000 });
  });
  afterEach(async () => {
    connection.close();
    await reader.del(key);
    reader.disconnect();
    await proxy.close();
  });

  const connect = async (timeout: { timeoutMs?: number }) => {
    connection = connectInboxSignals(`redis://${proxy.address}`, pino({ level: 'silent' }), {
      key,
      entries: ENTRIES,
      ...timeout,
    });
    await untilSignalled(ALL_USERS);
  };
  const signalled = async () => (await reader.xrange(key, '-', '+')).map(([, [, users = '']]) => users.split(','));
  const untilSignalled = (user: string) =>
    eventually(`${user} is signalled`, async () => (await signalled()).flat().includes(user));

  it('start with ALL_USERS, then name each user once per commit, only as hashes', async () => {
    connection.signals.signal(['li@acme.example', 'u-2', 'u-2']);
    connection.signals.signal(['u-3']);
    await untilSignalled(userHash('u-3'));
    expect(await signalled()).toEqual([[ALL_USERS], ['li@acme.example', 'u-2', 'u-3'].map(userHash)]);
  });

  it('do not block callers during a Redis outage, and name ALL_USERS after it', async () => {
    connection.close();
    await connect({});
    for (const fault of ['cut', 'hang'] as const) {
      await reader.del(key);
      proxy[fault]();
      connection.signals.signal(['u-1']);
      await eventually('the failure is detected', () => connection.signals.breaker.isOpen);
      connection.signals.signal(['u-2']);
      proxy.restore();
      await untilSignalled(ALL_USERS);
      await eventually('the signals name users again', async () => {
        connection.signals.signal(['u-3']);
        return (await signalled()).flat().includes(userHash('u-3'));
      });
      expect((await signalled()).flat()).not.toContain(userHash('u-2'));
    }
  });

  it('include posted messages and whether they are internal', async () => {
    const message = { entryId: 'm-1', poRef: 'PO-1', vendorCode: 'ACME', internal: false, comment: 'not signalled' };
    connection.signals.signalPosted([message, { ...message, entryId: 'm-2', internal: true }]);
    const posted = async () =>
      (await reader.xrange(key, '-', '+')).map(([, entry]) => entry).filter(([name]) => name === 'posted');
    await eventually('both messages are signalled', async () => (await posted()).length === 2);
    const fields = ['poRef', 'PO-1', 'vendorCode', 'ACME'];
    expect(await posted()).toEqual([
      ['posted', 'm-1', ...fields],
      ['posted', 'm-2', ...fields, 'internal', 'true'],
    ]);
  });

  it('name ALL_USERS instead of more than 1,000 users, and old ones are trimmed', async () => {
    connection.signals.signal(Array.from({ length: 1_001 }, (_, nth) => `u-${nth}`));
    connection.signals.signal(['u-1']);
    await eventually('the signal is sent', async () => (await signalled()).length === 2);
    expect(await signalled()).toEqual([[ALL_USERS], [ALL_USERS]]);
    const older = reader.pipeline();
    for (let nth = 0; nth < 4 * ENTRIES; nth += 1) older.xadd(key, '*', 'users', userHash('u-1'));
    await older.exec();
    connection.signals.signal(['u-2']);
    await untilSignalled(userHash('u-2'));
    expect(await reader.xlen(key)).toBeLessThan(2 * ENTRIES);
  });
});
