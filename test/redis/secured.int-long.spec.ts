import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@po/platform';
import { connectRedis, waitUntilConnected } from '@po/redis';
import { SCRIPTS } from '../../services/dashboard/src/projection/lua.js';
import { type Authority, makeAuthority, writeIdentity } from '@po/testing/certificates';
import { eventually } from '@po/testing/eventually';
import { type RedisNode, startRedisServers } from './redis-servers.js';
import { type RedisService, RedisFeatures } from './redis-features.js';
import { type Secured, secureRedis, usersAcl } from './users.js';

const SERVICES: RedisService[] = ['gateway', 'notifications', 'dashboard'];
const lines: string[] = [];
const logger = createLogger('test', 'debug', { write: (line) => void lines.push(line) });

let authority: Authority;
let servers: Awaited<ReturnType<typeof startRedisServers>>;
let how: Secured;
let node: RedisNode;
beforeAll(async () => {
  authority = await makeAuthority('the company');
  servers = await startRedisServers(['one']);
  how = await secureRedis(servers, authority);
  node = await servers.start('one', how.lines, { client: how.client });
});
afterAll(() => servers.stop());

const urlOf = (service: RedisService, { host = 'localhost', ca = how.files.ca, more = '' } = {}) =>
  `rediss://${how.login(service)}@${host}:${node.port}?ca=${ca}${more}`;
const open = (url: string) =>
  connectRedis(url, { logger, onError: 'Redis', timeoutMs: 5_000, pipelined: false, scripts: {} });

/** Error message of a connection attempt; "connected" if it succeeds. */
async function failure(url: string): Promise<string> {
  const redis = open(url);
  try {
    return await waitUntilConnected(redis, AbortSignal.timeout(20_000)).then(
      () => 'connected',
      (error: Error) => error.message,
    );
  } finally {
    redis.disconnect();
  }
}

describe('a Redis with TLS and access control', () => {
  it('serves everything that the services do with the permissions in users.acl', async () => {
    await node.admin.call('ACL', 'LOG', 'RESET');
    const features = new RedisFeatures(
      Object.fromEntries(SERVICES.map((service) => [service, urlOf(service)])) as Record<RedisService, string>,
    );
    try {
      await features.start();
      await features.checkAll();
      await features.rebuild();
      await features.checkAll();
    } finally {
      await features.stop();
    }
    expect(await node.admin.call('ACL', 'LOG')).toEqual([]);
    expect(features.lines.join('')).not.toMatch(/replace-this/);
  });

  const OWN: Record<RedisService, string[]> = {
    gateway: ['rate:read:x', 'streams:x', '{po-dashboard}:changed-orders', '{po-dashboard}:moved-inboxes'],
    notifications: ['{po-dashboard}:moved-inboxes'],
    dashboard: [
      '{po-dashboard}:1:current',
      '{po-dashboard}:1:7:orders',
      '{po-dashboard}:2:lock',
      '{po-dashboard}:changed-orders',
    ],
  };
  const KEYS = [...new Set([...Object.values(OWN).flat(), 'other', 'rate', '{po-dashboard}', '{po-dashboard}:other'])];
  const TOUCHES: Record<RedisService, (key: string) => string[]> = {
    gateway: (key) => ['ZCARD', key],
    notifications: (key) => ['XADD', key, 'NOMKSTREAM', '*', 'a', 'b'],
    dashboard: (key) => ['GET', key],
  };

  it.each(SERVICES)('answers PING to %s and limits it to its own keys, in scripts too', async (service) => {
    const redis = open(urlOf(service));
    try {
      await waitUntilConnected(redis, AbortSignal.timeout(20_000));
      // Operators test the URL of a service with PING.
      expect(await redis.ping()).toBe('PONG');
      const outcome = (command: string[]) =>
        redis.call(...(command as [string, ...string[]])).then(
          () => 'done',
          ({ message }: Error) =>
            /NOPERM|can't access|No permissions|no permissions/.test(message) ? 'refused' : 'done',
        );
      const script = ([name = '', key = '', ...rest]: string[]) => [
        'EVAL',
        `return redis.call('${name}', KEYS[1], unpack(ARGV))`,
        '1',
        key,
        ...rest,
      ];
      const hidden = ([name = '', key = '', ...rest]: string[]) => [
        'EVAL',
        `return redis.call('${name}', ARGV[1], unpack(ARGV, 2))`,
        '0',
        key,
        ...rest,
      ];
      for (const key of KEYS) {
        const expected = OWN[service].includes(key) ? 'done' : 'refused';
        const touch = TOUCHES[service](key);
        expect([key, await outcome(touch)]).toEqual([key, expected]);
        if (service === 'notifications') continue;
        expect([key, await outcome(script(touch))]).toEqual([key, expected]);
        expect([key, await outcome(hidden(touch))]).toEqual([key, expected]);
      }
    } finally {
      redis.disconnect();
    }
  });

  it.each(SERVICES)('refuses commands that %s does not need', async (service) => {
    const redis = open(urlOf(service));
    const [own = ''] = OWN[service];
    await node.admin.set('untouched', 'yes');
    try {
      await waitUntilConnected(redis, AbortSignal.timeout(20_000));
      for (const command of [
        ['FLUSHALL'],
        ['FLUSHDB'],
        ['KEYS', '*'],
        ['RANDOMKEY'],
        ['CONFIG', 'GET', '*'],
        ['OBJECT', 'ENCODING', own],
        ['ACL', 'LIST'],
        ['ACL', 'SETUSER', service, '+@all'],
        ['CLIENT', 'LIST'],
        ['CLIENT', 'KILL', 'TYPE', 'normal'],
        ['REPLICAOF', 'NO', 'ONE'],
        ['SHUTDOWN', 'NOSAVE'],
        ['MONITOR'],
        ['SUBSCRIBE', 'x'],
        ['PUBLISH', 'x', 'y'],
        ['CLUSTER', 'RESET'],
        ['SCRIPT', 'FLUSH'],
        ['MIGRATE', 'h', '1', own, '0', '1'],
        ['DUMP', own],
        ['RENAME', own, 'x'],
        ...(service === 'dashboard'
          ? []
          : [
              ['SCAN', '0'],
              ['DEL', own],
              ['UNLINK', own],
              ['SET', own, 'x'],
              ['GET', own],
            ]),
      ])
        await expect(redis.call(...(command as [string, ...string[]]))).rejects.toThrow(/NOPERM/);
    } finally {
      redis.disconnect();
    }
    expect(await node.admin.get('untouched')).toBe('yes');
  });

  it('allows the dashboard every command of its scripts', () => {
    const named = Object.values(SCRIPTS).flatMap(({ lua }) => [...lua.matchAll(/redis\.p?call\('(\w+)'/g)]);
    const commands = [...new Set(named.map(([, command = '']) => `+${command.toLowerCase()}`))];
    expect(commands.length).toBeGreaterThan(15);
    const rights = usersAcl()
      .split('\n')
      .find((line) => line.startsWith('user dashboard '))
      ?.split(' ');
    expect(commands.filter((command) => !rights?.includes(command))).toEqual([]);
  });
});

describe('a TLS connection to Redis', () => {
  /** Makes Redis present another certificate. */
  const show = async (options: Parameters<Authority['certify']>[1]) => {
    await writeIdentity(dirname(how.files.cert), authority, await authority.certify('redis', options));
    await node.admin.config('SET', 'tls-cert-file', how.files.cert);
  };
  afterEach(() => show({}));

  it('fails with the reason if Redis does not prove its identity', async () => {
    const another = join(servers.folder, 'another.crt');
    await writeFile(another, (await makeAuthority('another')).ca);
    expect(await failure(urlOf('gateway', { ca: another }))).toMatch(/unable to|self-signed/);
    expect(await failure(`rediss://${how.login('gateway')}@localhost:${node.port}`)).toMatch(/unable to|self-signed/);
    await show({ names: ['elsewhere.example'] });
    expect(await failure(urlOf('gateway'))).toMatch(/does not match certificate's altnames.*elsewhere\.example/);
    await show({ days: -1 });
    expect(await failure(urlOf('gateway'))).toBe('certificate has expired');
    await show({});
    expect(await failure(urlOf('gateway'))).toBe('connected');
  });

  it('recovers by itself after the password is corrected, and logs no password', async () => {
    const redis = open(urlOf('gateway').replace('replace-this', 'former'));
    try {
      await expect(waitUntilConnected(redis, AbortSignal.timeout(20_000))).rejects.toThrow(/WRONGPASS/);
      await node.admin.call('ACL', 'SETUSER', 'gateway', '>former-gateway');
      await eventually('it is connected', () => redis.status === 'ready');
      expect(lines.join('')).toContain('WRONGPASS');
      expect(lines.join('')).not.toMatch(/former-gateway|replace-this/);
    } finally {
      redis.disconnect();
    }
  });

  it('presents the client certificate that its files have when it is opened', async () => {
    await node.admin.config('SET', 'tls-auth-clients', 'yes');
    const folder = join(servers.folder, 'client');
    const stranger = await makeAuthority('another');
    const files = await writeIdentity(folder, authority, await stranger.certify('gateway'));
    const redis = open(urlOf('gateway', { more: `&cert=${files.cert}&key=${files.key}` }));
    const problems: string[] = [];
    redis.on('error', ({ message }: Error) => problems.push(message));
    try {
      expect(await failure(urlOf('gateway'))).not.toBe('connected');
      await eventually('the connection is refused', () => problems.length > 2);
      await writeIdentity(folder, authority, await authority.certify('gateway'));
      await eventually('it is connected', () => redis.status === 'ready');
      // A certificate without its key: the former pair stays in use until the new key is written.
      await writeFile(files.cert, (await authority.certify('gateway')).cert);
      redis.disconnect(true);
      await eventually(
        'it is connected again',
        () => lines.join('').includes('key values mismatch') && redis.status === 'ready',
      );
    } finally {
      redis.disconnect();
      await node.admin.config('SET', 'tls-auth-clients', 'no');
    }
  });
});
