import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { SIGNALS } from '@po/contracts';
import { userHash } from '@po/redis';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { redisUrl } from '@po/testing/stores';
import type { Upstream } from '../routes/upstream.js';
import { redisAt } from '../start.js';
import { Streams } from './streams.js';

it('a gateway whose Redis user may not send signals logs the first refusal', async () => {
  const user = `gateway-${randomUUID()}`;
  const redis = new Redis(redisUrl());
  await redis.acl('SETUSER', user, 'on', '>secret', '~*', '+@all', '-xadd');
  const url = Object.assign(new URL(redisUrl()), { username: user, password: 'secret' });
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(line) });
  const users = { reset: () => undefined, resetAll: () => undefined, announcedElsewhere: () => undefined };
  const connections = redisAt(url.href, logger);
  const streams = new Streams(connections, {} as Upstream, logger, users);
  const signal = () =>
    streams.signalOtherGateways({
      actor: { ...actors.acme, sub: user },
      issuedAt: 1,
      expiresAt: 2,
      isRefused: () => Promise.resolve(false),
    });
  const refusals = () => lines.filter((line) => line.includes('NOPERM'));
  await eventually('the refusal is logged', () => {
    signal();
    return refusals().length > 0;
  });
  await redis.acl('SETUSER', user, '+xadd');
  await eventually('a signal is accepted', async () => {
    signal();
    const entries = await redis.xrevrange(SIGNALS.inboxes.key, '+', '-', 'COUNT', 1);
    return entries[0]?.[1].includes(userHash(user));
  });
  expect(refusals()).toHaveLength(1);
  await streams.close();
  connections.disconnect();
  await redis.acl('DELUSER', user);
  redis.disconnect();
});
