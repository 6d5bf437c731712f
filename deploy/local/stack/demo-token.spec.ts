import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { decodeJwt } from 'jose';
import { DEMO_USERS } from '../demo/users.js';
import { printDemoTokens } from './demo-token.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const USERS = Object.keys(DEMO_USERS);
const key = { ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), kid: 'k1' };

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
});
afterEach(() => {
  jest.useRealTimers();
});

it('the newest printed token of each demo user is never expired', async () => {
  const printed: string[] = [];
  await printDemoTokens({ key, issuer: 'https://id.test.example', audience: 'purchase-orders' }, (text) =>
    printed.push(text),
  );
  jest.advanceTimersByTime(DAY_MS);
  await eventually('all tokens are printed again', () => printed.length >= 2 * USERS.length);
  for (const user of USERS) {
    const [, token = ''] = printed.findLast((text) => text.startsWith(`${user}\n`))?.split('\n') ?? [];
    expect((decodeJwt(token).exp ?? 0) * 1000).toBeGreaterThan(Date.now());
  }
});
