import { randomUUID } from 'node:crypto';
import { EVERYBODY } from '@po/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { userHash } from '@po/redis';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { redisUrl } from '@po/testing/stores';
import { TcpProxy } from '@po/testing/tcp-proxy';
import { connectInboxSignals } from './inbox-signals.js';

const ENTRIES = 200;

describe('telling whose inboxes moved', () => {
  let key: string;
  let proxy: TcpProxy;
  let reader: Redis;
  let telling: ReturnType<typeof connectInboxSignals>;

  beforeEach(async () => {
    key = `test-${randomUUID()}`;
    proxy = await TcpProxy.to(new URL(redisUrl()));
    reader = new Redis(redisUrl());
    // On a busy machine an answer may take longer than the service waits, which then names everybody.
    await connect({ timeoutMs: 10_000 });
  });
  afterEach(async () => {
    telling.close();
    await reader.del(key);
    reader.disconnect();
    await proxy.close();
  });

  const connect = async (timeout: { timeoutMs?: number }) => {
    telling = connectInboxSignals(`redis://${proxy.address}`, pino({ level: 'silent' }), {
      key,
      entries: ENTRIES,
      ...timeout,
    });
    await toldOf(EVERYBODY);
  };
  const told = async () => (await reader.xrange(key, '-', '+')).map(([, [, users = '']]) => users.split(','));
  const toldOf = (user: string) =>
    eventually(`they are told of ${user}`, async () => (await told()).flat().includes(user));

  it('begins with everybody, then names each user once a commit, never in clear', async () => {
    telling.signals.signal(['li@acme.example', 'u-2', 'u-2']);
    telling.signals.signal(['u-3']);
    await toldOf(userHash('u-3'));
    expect(await told()).toEqual([[EVERYBODY], ['li@acme.example', 'u-2', 'u-3'].map(userHash)]);
  });

  it('keeps nobody waiting, and tells of everybody when Redis is there again', async () => {
    telling.close();
    await connect({});
    for (const fault of ['cut', 'hang'] as const) {
      await reader.del(key);
      proxy[fault]();
      telling.signals.signal(['u-1']);
      await eventually('it is noticed', () => telling.signals.breaker.rests);
      telling.signals.signal(['u-2']);
      proxy.pass();
      await toldOf(EVERYBODY);
      await eventually('it names users again', async () => {
        telling.signals.signal(['u-3']);
        return (await told()).flat().includes(userHash('u-3'));
      });
      expect((await told()).flat()).not.toContain(userHash('u-2'));
    }
  });

  it('adds messages that were posted, and whether a vendor may know of them', async () => {
    const message = { entryId: 'm-1', poRef: 'PO-1', vendorCode: 'ACME', internal: false, comment: 'not told' };
    telling.signals.signalPosted([message, { ...message, entryId: 'm-2', internal: true }]);
    const posted = async () =>
      (await reader.xrange(key, '-', '+')).map(([, entry]) => entry).filter(([name]) => name === 'posted');
    await eventually('both are there', async () => (await posted()).length === 2);
    const fields = ['poRef', 'PO-1', 'vendorCode', 'ACME'];
    expect(await posted()).toEqual([
      ['posted', 'm-1', ...fields],
      ['posted', 'm-2', ...fields, 'internal', 'true'],
    ]);
  });

  it('names everybody rather than thousands, and forgets what nobody has to read any more', async () => {
    telling.signals.signal(Array.from({ length: 1_001 }, (_, nth) => `u-${nth}`));
    telling.signals.signal(['u-1']);
    await eventually('it is told', async () => (await told()).length === 2);
    expect(await told()).toEqual([[EVERYBODY], [EVERYBODY]]);
    const older = reader.pipeline();
    for (let nth = 0; nth < 4 * ENTRIES; nth += 1) older.xadd(key, '*', 'users', userHash('u-1'));
    await older.exec();
    telling.signals.signal(['u-2']);
    await toldOf(userHash('u-2'));
    expect(await reader.xlen(key)).toBeLessThan(2 * ENTRIES);
  });
});
