import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { IdentityProvider, signingKey } from '@po/testing/identity-provider';
import { freezePerformanceClock } from '../fixtures/frozen-performance-clock.js';
import { ALGORITHMS, KeySet, type KeySetOptions, KeysUnavailableError } from './key-set.js';

/** The timeout suits a busy machine. IMPATIENT is for tests of a provider that does not answer. */
const TIMING = { timeoutMs: 60_000, firstRetryMs: 20, lastRetryMs: 40, unknownKidMs: 200 };
const IMPATIENT = { ...TIMING, timeoutMs: 300 };
const json = (body: unknown) => (_request: unknown, response: { end: (text: string) => unknown }) =>
  void response.end(JSON.stringify(body));

describe('KeySet', () => {
  let provider: IdentityProvider;
  let keys: KeySet;

  const open = (options: Partial<KeySetOptions> = {}): KeySet => {
    keys = new KeySet({
      url: provider.url,
      algorithms: ALGORITHMS,
      maxAgeS: 300,
      staleS: 3600,
      logger: pino({ level: 'silent' }),
      timing: TIMING,
      ...options,
    });
    keys.start();
    return keys;
  };
  const ready = () => eventually('the key set is available', () => keys.available);
  const fetched = (times: number) => eventually(`fetched ${times} times`, () => provider.fetches >= times);

  beforeEach(async () => {
    provider = await IdentityProvider.start();
  });
  afterEach(async () => {
    jest.useRealTimers();
    keys.stop();
    await provider.stop();
  });

  it('finds a key only for its own algorithm', async () => {
    open();
    await ready();
    expect(await keys.find('k1', 'ES256')).not.toBeNull();
    expect(await keys.find('k1', 'RS256')).toBeNull();
    expect(provider.fetches).toBe(1);
  });

  it('refreshes in the background and refuses a removed key', async () => {
    const original = provider.keys;
    open({ maxAgeS: 0.1 });
    await ready();
    const { generation } = keys;
    provider.keys = [signingKey('k2')];
    await eventually('the removed key is refused', async () => (await keys.find('k1', 'ES256')) === null);
    expect(await keys.find('k2', 'ES256')).not.toBeNull();
    expect(keys.generation).not.toBe(generation);
    provider.keys = original;
    await eventually('the key is back', async () => (await keys.find('k1', 'ES256')) !== null);
    expect(keys.generation).toBe(generation);
  });

  it('finds a newly published key for all concurrent callers with one fetch, however recent the last fetch was', async () => {
    freezePerformanceClock();
    open();
    await ready();
    provider.keys = [signingKey('k2'), ...provider.keys];
    const found = await Promise.all(Array.from({ length: 20 }, () => keys.find('k2', 'ES256')));
    expect(found).not.toContain(null);
    expect(provider.fetches).toBe(2);
  });

  it('fetches again for a key that was published after the running fetch started', async () => {
    const old: unknown = await (await fetch(provider.url)).json();
    const held = Promise.withResolvers<void>();
    const { answer } = provider;
    provider.answer = (request, response) => void held.promise.then(() => json(old)(request, response));
    open();
    await fetched(2);
    provider.answer = answer;
    provider.keys = [signingKey('k2'), ...provider.keys];
    const found = keys.find('k2', 'ES256');
    held.resolve();
    expect(await found).not.toBeNull();
  });

  it('refuses unknown kids without another fetch until the minimum interval has passed', async () => {
    freezePerformanceClock();
    open();
    await ready();
    expect(await keys.find('guess', 'ES256')).toBeNull();
    provider.keys = [signingKey('k2'), ...provider.keys];
    const unknown = await Promise.all(Array.from({ length: 200 }, (_, index) => keys.find(`guess-${index}`, 'ES256')));
    expect(unknown.every((key) => key === null)).toBe(true);
    expect(await keys.find('k2', 'ES256')).toBeNull();
    expect(provider.fetches).toBe(2);
    jest.advanceTimersByTime(TIMING.unknownKidMs);
    expect(await keys.find('k2', 'ES256')).not.toBeNull();
    expect(provider.fetches).toBe(3);
  });

  it('fetches once for many concurrent unknown kids', async () => {
    open({ timing: { ...TIMING, unknownKidMs: 0 } });
    await ready();
    await Promise.all(Array.from({ length: 200 }, (_, index) => keys.find(`guess-${index}`, 'ES256')));
    expect(provider.fetches).toBe(2);
  });

  it('serves stale keys through an outage up to the bound, then rejects, then recovers', async () => {
    freezePerformanceClock();
    open({ maxAgeS: 0.2, staleS: 600 });
    await ready();
    const { answer } = provider;
    provider.answer = (_request, response) => void response.writeHead(500).end();
    await fetched(3);
    jest.advanceTimersByTime(300);
    expect(keys.ageS).toBeCloseTo(0.3);
    expect(await keys.find('k1', 'ES256')).not.toBeNull();
    jest.advanceTimersByTime(600_000);
    await expect(keys.find('k1', 'ES256')).rejects.toThrow(KeysUnavailableError);
    await expect(keys.find('unknown', 'ES256')).rejects.toThrow(KeysUnavailableError);
    provider.answer = answer;
    await ready();
    expect(await keys.find('k1', 'ES256')).not.toBeNull();
  });

  it('returns null for an unknown kid, and no error, during an outage within the bound', async () => {
    open({ maxAgeS: 0.1 });
    await ready();
    provider.answer = (_request, response) => void response.writeHead(503).end();
    await fetched(3);
    expect(await keys.find('unknown', 'ES256')).toBeNull();
    expect(await keys.find('k1', 'ES256')).not.toBeNull();
  });

  it('finds a known key without waiting for a provider that hangs', async () => {
    open({ maxAgeS: 0.1 });
    await ready();
    provider.answer = () => undefined;
    await fetched(2);
    // Waiting for the fetch would take a minute.
    expect(await keys.find('k1', 'ES256')).not.toBeNull();
  });

  it('fetches again after a fetch that timed out', async () => {
    open({ maxAgeS: 0.1, timing: IMPATIENT });
    await ready();
    provider.answer = () => undefined;
    await fetched(provider.fetches + 3);
    expect(await keys.find('k1', 'ES256')).not.toBeNull();
  });

  it('names every address of a provider that does not answer', async () => {
    const cause = new AggregateError([new Error('connect ECONNREFUSED ::1:1'), new Error('timed out')]);
    const failing = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause }));
    open();
    await expect(keys.find('k1', 'ES256')).rejects.toThrow(KeysUnavailableError);
    failing.mockRestore();
    expect(keys.ready).toBe('not fetched yet: connect ECONNREFUSED ::1:1; timed out');
  });

  it('rejects while the provider is down at startup, keeps trying, and recovers', async () => {
    const { answer } = provider;
    provider.answer = (request) => void request.socket.destroy();
    open();
    await expect(keys.find('k1', 'ES256')).rejects.toThrow(KeysUnavailableError);
    await fetched(4);
    expect(keys.ready).toMatch(/^not fetched yet: ./);
    provider.answer = answer;
    await ready();
    expect(await keys.find('k1', 'ES256')).not.toBeNull();
    expect(keys.ready).toBe(true);
  });

  const elsewhere = signingKey('k9');
  it.each<[string, IdentityProvider['answer']]>([
    ['a redirect', (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['invalid JSON', (_request, response) => void response.end('<html>')],
    ['JSON that is not a key set', json([])],
    ['an empty set', json({ keys: [] })],
    ['keys that are not a list', json({ keys: { k9: elsewhere.jwk } })],
    ['an oversized set', json({ keys: [elsewhere.jwk], filler: 'x'.repeat(256 * 1024) })],
    ['only unusable keys', json({ keys: [{ ...elsewhere.jwk, use: 'enc' }] })],
    ['an incomplete body', (_request, response) => void response.write('{"keys":[')],
  ])('counts %s as a failed refresh and keeps the current keys', async (_what, answer) => {
    open({ maxAgeS: 0.1, timing: IMPATIENT });
    await ready();
    provider.answer = answer;
    await fetched(4);
    expect(await keys.find('k1', 'ES256')).not.toBeNull();
    expect(await keys.find('k9', 'ES256')).toBeNull();
  });

  it('drops unusable entries and both entries of a duplicate kid, and keeps the others', async () => {
    const { kid: _kid, ...withoutKid } = signingKey('none').jwk;
    const key = (kid: string, changes: Record<string, unknown> = {}) => ({ ...signingKey(kid).jwk, ...changes });
    provider.answer = json({
      keys: [
        key('good'),
        key('plain', { alg: undefined, use: undefined, key_ops: ['verify'] }),
        withoutKid,
        key('', {}),
        key('encryption', { use: 'enc' }),
        key('wrapping', { key_ops: ['wrapKey'] }),
        key('private', { d: 'AAAA' }),
        key('other-alg', { alg: 'ES384' }),
        key('broken', { x: 'AAAA' }),
        { kty: 'oct', kid: 'secret', k: 'AAAA', alg: 'HS256' },
        { kty: 'NEW', kid: 'unknown-type' },
        signingKey('short', 'RS256', 1024).jwk,
        key('twice'),
        signingKey('twice', 'RS256').jwk,
        null,
        'text',
      ],
    });
    open();
    await ready();
    const kids = [
      'good',
      'plain',
      '',
      'encryption',
      'wrapping',
      'private',
      'other-alg',
      'broken',
      'secret',
      'unknown-type',
      'short',
      'twice',
    ];
    const found = await Promise.all(
      kids.map(async (kid) => {
        const all = await Promise.all(ALGORITHMS.map((algorithm) => keys.find(kid, algorithm)));
        return all.some(Boolean) ? kid : null;
      }),
    );
    expect(found.filter(Boolean)).toEqual(['good', 'plain']);
  });

  it('ignores keys of algorithms that are not configured', async () => {
    provider.keys = [signingKey('ec', 'ES256'), signingKey('ed', 'EdDSA')];
    open({ algorithms: ['EdDSA'] });
    await ready();
    expect(await keys.find('ec', 'ES256')).toBeNull();
    expect(await keys.find('ed', 'EdDSA')).not.toBeNull();
  });
});
