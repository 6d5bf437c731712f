import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@po/platform';
import { connectRedis, connected } from '@po/redis';
import { SCRIPTS } from '../../services/dashboard/src/projection/lua.js';
import { type Authority, makeAuthority, writeIdentity } from '@po/testing/certificates';
import { eventually } from '@po/testing/eventually';
import { type RedisNode, redisServers } from './redis-servers.js';
import { type Part, Parts } from './parts.js';
import { type Secured, secured, usersAcl } from './users.js';

const PARTS: Part[] = ['gateway', 'notifications', 'dashboard'];
const lines: string[] = [];
const logger = createLogger('test', 'debug', { write: (line) => void lines.push(line) });

let authority: Authority;
let servers: Awaited<ReturnType<typeof redisServers>>;
let how: Secured;
let node: RedisNode;
beforeAll(async () => {
  authority = await makeAuthority('the company');
  servers = await redisServers(['one']);
  how = await secured(servers, authority);
  node = await servers.start('one', how.lines, { client: how.client });
});
afterAll(() => servers.stop());

const urlOf = (part: Part, { host = 'localhost', ca = how.files.ca, more = '' } = {}) =>
  `rediss://${how.login(part)}@${host}:${node.port}?ca=${ca}${more}`;
const open = (url: string) =>
  connectRedis(url, { logger, onError: 'Redis', timeoutMs: 5_000, pipelined: false, scripts: {} });

/** What a connection fails with. */
async function failure(url: string): Promise<string> {
  const redis = open(url);
  try {
    return await connected(redis, AbortSignal.timeout(20_000)).then(
      () => 'connected',
      (error: Error) => error.message,
    );
  } finally {
    redis.disconnect();
  }
}

describe('a Redis that is spoken to by TLS and asks who comes', () => {
  it('is all that services need, with the rights in users.acl and no other', async () => {
    await node.admin.call('ACL', 'LOG', 'RESET');
    const parts = new Parts(Object.fromEntries(PARTS.map((part) => [part, urlOf(part)])) as Record<Part, string>);
    try {
      await parts.start();
      await parts.work();
      await parts.rebuild();
      await parts.work();
    } finally {
      await parts.stop();
    }
    expect(await node.admin.call('ACL', 'LOG')).toEqual([]);
    expect(parts.lines.join('')).not.toMatch(/replace-this/);
  });

  const OWN: Record<Part, string[]> = {
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
  const TOUCHES: Record<Part, (key: string) => string[]> = {
    gateway: (key) => ['ZCARD', key],
    notifications: (key) => ['XADD', key, 'NOMKSTREAM', '*', 'a', 'b'],
    dashboard: (key) => ['GET', key],
  };

  it.each(PARTS)('answers PING to %s, and keeps it to its own keys, in scripts too', async (part) => {
    const redis = open(urlOf(part));
    try {
      await connected(redis, AbortSignal.timeout(20_000));
      // Operators test its URL by it.
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
        const expected = OWN[part].includes(key) ? 'done' : 'refused';
        const touch = TOUCHES[part](key);
        expect([key, await outcome(touch)]).toEqual([key, expected]);
        if (part === 'notifications') continue;
        expect([key, await outcome(script(touch))]).toEqual([key, expected]);
        expect([key, await outcome(hidden(touch))]).toEqual([key, expected]);
      }
    } finally {
      redis.disconnect();
    }
  });

  it.each(PARTS)('refuses commands that %s does not need', async (part) => {
    const redis = open(urlOf(part));
    const [own = ''] = OWN[part];
    await node.admin.set('untouched', 'yes');
    try {
      await connected(redis, AbortSignal.timeout(20_000));
      for (const command of [
        ['FLUSHALL'],
        ['FLUSHDB'],
        ['KEYS', '*'],
        ['RANDOMKEY'],
        ['CONFIG', 'GET', '*'],
        ['OBJECT', 'ENCODING', own],
        ['ACL', 'LIST'],
        ['ACL', 'SETUSER', part, '+@all'],
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
        ...(part === 'dashboard'
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

  it('lets the dashboard do all that its scripts name', () => {
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

describe('a connection', () => {
  /** Shows another certificate from now on. */
  const show = async (options: Parameters<Authority['certify']>[1]) => {
    await writeIdentity(dirname(how.files.cert), authority, await authority.certify('redis', options));
    await node.admin.config('SET', 'tls-cert-file', how.files.cert);
  };
  afterEach(() => show({}));

  it('is refused, with the reason, where Redis does not prove who it is', async () => {
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

  it('works by itself once a password is mended, which is in no log', async () => {
    const redis = open(urlOf('gateway').replace('replace-this', 'former'));
    try {
      await expect(connected(redis, AbortSignal.timeout(20_000))).rejects.toThrow(/WRONGPASS/);
      await node.admin.call('ACL', 'SETUSER', 'gateway', '>former-gateway');
      await eventually('it is connected', () => redis.status === 'ready');
      expect(lines.join('')).toContain('WRONGPASS');
      expect(lines.join('')).not.toMatch(/former-gateway|replace-this/);
    } finally {
      redis.disconnect();
    }
  });

  it('shows the certificate that is in its files when it is made', async () => {
    await node.admin.config('SET', 'tls-auth-clients', 'yes');
    const folder = join(servers.folder, 'client');
    const stranger = await makeAuthority('another');
    const files = await writeIdentity(folder, authority, await stranger.certify('gateway'));
    const redis = open(urlOf('gateway', { more: `&cert=${files.cert}&key=${files.key}` }));
    const problems: string[] = [];
    redis.on('error', ({ message }: Error) => problems.push(message));
    try {
      expect(await failure(urlOf('gateway'))).not.toBe('connected');
      await eventually('it is refused', () => problems.length > 2);
      await writeIdentity(folder, authority, await authority.certify('gateway'));
      await eventually('it is connected', () => redis.status === 'ready');
      // Half of a pair: what was there is used until the other half is.
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
