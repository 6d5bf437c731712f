import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '@po/testing/any-character';
import { z } from 'zod';
import { type IdentityFiles, makeAuthority, writeIdentity } from '@po/testing/certificates';
import { configurationProblems } from './config.js';
import { parseRedisUrl, redisRules, redisTlsSettings, redisUrl, withRedisTls } from './redis-url.js';
import { withCrossFieldRules } from './cross-field-rules.js';

const Settings = withCrossFieldRules(z.object({ REDIS_URL: redisUrl, ...redisTlsSettings }), redisRules);

let dir: string;
let files: IdentityFiles;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'po-url-'));
  const authority = await makeAuthority('the company');
  files = await writeIdentity(dir, authority, await authority.certify('gateway'));
});
afterAll(() => rmSync(dir, { recursive: true }));

function problemsOf(environment: Record<string, string>): string[] {
  const { error } = Settings.safeParse(environment);
  const problems = error ? configurationProblems(Settings, error) : [];
  expect(problems.join()).not.toContain('hunter2');
  return problems;
}

describe('parsing a Redis URL', () => {
  it.each([
    ['redis://redis', { kind: 'alone', tls: false, address: { host: 'redis', port: 6379 }, db: 0 }],
    ['redis://redis:6380/', { kind: 'alone', address: { host: 'redis', port: 6380 }, db: 0 }],
    ['redis://:pw@10.0.0.1/7', { username: undefined, password: 'pw', db: 7 }],
    [
      'rediss://user:p%40%2Fw:x@[::1]:1/0',
      { username: 'user', password: 'p@/w:x', tls: true, address: { host: '::1', port: 1 } },
    ],
    [
      'redis+sentinel://user:pw@a,b:1/main/2?sentinelUsername=s&sentinelPassword=t%26',
      {
        kind: 'sentinel',
        tls: false,
        username: 'user',
        password: 'pw',
        name: 'main',
        db: 2,
        addresses: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 1 },
        ],
        sentinel: { username: 's', password: 't&' },
      },
    ],
    ['rediss+sentinel://a/my%20main', { kind: 'sentinel', tls: true, name: 'my main', db: 0 }],
    [
      'rediss+cluster://a:7000,b,[::1]:7002',
      { kind: 'cluster', tls: true, addresses: [{ port: 7000 }, { port: 6379 }, { host: '::1' }] },
    ],
  ])('accepts %s', (url, server) => expect(parseRedisUrl(url)).toMatchObject(server));

  it.each([
    ['http://redis', /must be redis:\/\/.*redis\+sentinel:\/\/.*redis\+cluster:\/\/.*rediss/],
    ['redis://', /must be redis:/],
    ['redis+primary://redis', /must be redis:/],
    ['redis://user:hunter2@x@redis', /user and password must be percent-encoded/],
    ['redis://user:hunter2%@redis', /percent-encode it as %25/],
    ['redis://user@redis', /must have a password after its user/],
    ['redis://redis:0', /a port from 1 to 65535/],
    ['redis://redis:65536', /a port from 1 to 65535/],
    ['redis://::1', /an IPv6 address in brackets/],
    ['redis://[1.2.3.4]', /an IPv6 address in brackets/],
    ['redis://a,b', /must name one host; only redis\+sentinel:\/\/ and redis\+cluster:\/\/ allow several/],
    ['redis://redis/main', /must end with the number of the database/],
    ['redis://redis/1/2', /must end with the number of the database/],
    ['redis+sentinel://a,b', /must name the primary that the sentinels watch/],
    ['redis+sentinel://a,b/main/x', /must end with the number of the database/],
    ['redis+cluster://a/1', /must not name a database: a cluster has only database 0/],
    ['redis+cluster://a,', /for each host/],
    ['redis://redis?family=6', /must not have the parameter family: such a URL allows none/],
    ['redis://redis?ca=/ca.crt', /must not have the parameter ca: such a URL allows none/],
    ['rediss://redis?tls=no-verify', /must not have the parameter tls: such a URL allows only ca, cert, key/],
    ['rediss://redis?ca=/absent', /ca must be the path of a file with PEM certificates: .*ENOENT/],
  ])('refuses %s', (url, problem) => expect(problemsOf({ REDIS_URL: url })).toEqual([expect.stringMatching(problem)]));

  it('decodes any percent-encoded user and password', () => {
    const text = fc.string({ minLength: 1, unit: anyCharacter });
    fc.assert(
      fc.property(text, text, (username, password) => {
        const url = `rediss://${encodeURIComponent(username)}:${encodeURIComponent(password)}@redis:6380/1`;
        expect(parseRedisUrl(url)).toMatchObject({ username, password });
      }),
    );
  });
});

describe('the TLS settings of Redis', () => {
  const tls = () => ({
    REDIS_TLS_CA_FILE: files.ca,
    REDIS_TLS_CERT_FILE: files.cert,
    REDIS_TLS_KEY_FILE: files.key,
  });

  it.each(['rediss://user:pw@redis:1/2', 'rediss+sentinel://a,b/main?sentinelPassword=x', 'rediss+cluster://a?ca='])(
    'are added to the URL %s',
    (url) => {
      const { REDIS_URL } = withRedisTls(Settings.parse({ REDIS_URL: url, ...tls() }));
      expect(parseRedisUrl(REDIS_URL)).toEqual({
        ...parseRedisUrl(url),
        files: { ca: files.ca, cert: files.cert, key: files.key },
      });
    },
  );

  it('do not override the parameters of the URL', () => {
    const url = `rediss://redis?ca=${encodeURIComponent(files.cert)}`;
    expect(parseRedisUrl(withRedisTls(Settings.parse({ REDIS_URL: url, ...tls() })).REDIS_URL).files).toMatchObject({
      ca: files.cert,
      cert: files.cert,
    });
  });

  it.each(['redis://redis', 'redis+sentinel://a/main', 'redis+cluster://a'])('are refused with %s', (url) => {
    expect(problemsOf({ REDIS_URL: url, ...tls() })).toEqual([
      expect.stringMatching(/^REDIS_URL: must begin with rediss, with two s/),
    ]);
  });

  it('must contain both a certificate and a key, or neither', () => {
    const { REDIS_TLS_CERT_FILE: _, ...half } = tls();
    expect(problemsOf({ REDIS_URL: 'rediss://redis', ...half })).toEqual([
      expect.stringMatching(/^REDIS_TLS_CERT_FILE: needed with REDIS_TLS_KEY_FILE/),
    ]);
    expect(problemsOf({ REDIS_URL: `rediss://redis?key=${files.key}` })).toEqual([
      expect.stringMatching(/^REDIS_URL: needs both cert and key, or neither/),
    ]);
  });
});
