import { describe, expect, it } from '@jest/globals';
import { DEFAULT_DIR } from '../config.js';
import { DEMO_USERS } from '../demo/users.js';
import type { StackFile } from '../stack/stack-file.js';
import { banner, interactiveBanner } from './banner.js';

const USERS = Object.keys(DEMO_USERS);
const stack: StackFile = {
  ready: true,
  gatewayUrl: 'http://127.0.0.1:8080',
  gatewayUrls: ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'],
  portalUrl: 'http://127.0.0.1:8080/',
  kafkaBrokers: '127.0.0.1:9092',
  databaseUrls: { purchaseOrders: 'postgres://po', notifications: 'postgres://notifications', mail: 'postgres://mail' },
  redisUrl: 'redis://127.0.0.1:6379',
  mailUrl: 'http://127.0.0.1:8025/',
  jwksUrl: 'http://127.0.0.1:8090/jwks.json',
  issuer: 'issuer',
  audience: 'audience',
  managementUrls: {
    gateway: ['http://127.0.0.1:9464'],
    purchaseOrders: [],
    notifications: [],
    dashboard: [],
    mail: [],
  },
  pids: {
    gateway: [],
    purchaseOrders: [],
    notifications: [],
    dashboard: [],
    mail: [],
    kafka: 1,
    postgres: 2,
    redis: 3,
  },
  tokens: Object.fromEntries(USERS.map((user) => [user, `token-of-${user}`])),
};
const started = (dir = DEFAULT_DIR, tokens = stack.tokens) => ({
  stack: { ...stack, tokens },
  dir,
  startedAs: 'as ever',
});
const callsIn = (text: string) => text.split('\n').filter((line) => line.trimStart().startsWith('curl '));

describe('the banner of "npm start"', () => {
  it.each([
    ['for programs', banner],
    ['for people', interactiveBanner],
  ])('contains every address, %s', (_reader, of) => {
    const { gatewayUrls, kafkaBrokers, databaseUrls, redisUrl, jwksUrl, managementUrls } = stack;
    const urls = [
      ...gatewayUrls,
      kafkaBrokers,
      ...Object.values(databaseUrls),
      stack.mailUrl,
      redisUrl,
      jwksUrl,
      ...managementUrls.gateway,
      `${stack.gatewayUrl}/docs\n`,
    ];
    for (const url of urls) expect(of(started())).toContain(url);
    const first = (portalUrl: string | null) =>
      of({ ...started(), stack: { ...stack, portalUrl } })
        .split('\n')
        .find((line) => line.includes('http'));
    expect(first('http://127.0.0.1:8080/')).toBe('  portal      http://127.0.0.1:8080/');
    expect(first(null)).toBe('  API         http://127.0.0.1:8080/api');
  });

  it('for programs contains a token of every demo user and three calls with tokens', () => {
    const text = banner(started());
    for (const user of USERS) expect(text).toContain(`\n${user}\ntoken-of-${user}\n`);
    expect(callsIn(text)).toHaveLength(3);
    for (const call of callsIn(text)) expect(call).toMatch(/^curl -s '[^']+' -H 'X-User-Token: token-of-[^']+'$/);
  });

  it('for people contains every demo user without tokens, and three short calls that fetch a token', () => {
    const text = interactiveBanner(started());
    for (const user of USERS) expect(text).toMatch(new RegExp(`^ {2}${user} +\\S`, 'm'));
    expect(text).not.toContain('token-of-');
    expect(callsIn(text)).toHaveLength(3);
    for (const call of callsIn(text)) {
      expect(call.length).toBeLessThan(140);
      expect(call).toMatch(/-H "X-User-Token: \$\(npm run --silent token -- --as [\w:]+\)"$/);
    }
  });

  it('contains the folder of the stack in commands, quoted for a shell, if it is not the default', () => {
    expect(interactiveBanner(started('/tmp/other'))).toContain(
      '$(PO_LOCAL_DIR=/tmp/other npm run --silent token -- --as buyer)',
    );
    expect(interactiveBanner(started("/tmp/it's"))).toContain("  PO_LOCAL_DIR='/tmp/it'\\''s' npm run logs");
  });

  it('offers no tokens with an external identity provider', () => {
    for (const text of [banner(started(DEFAULT_DIR, {})), interactiveBanner(started(DEFAULT_DIR, {}))]) {
      expect(text).not.toMatch(/curl|run token/);
    }
  });
});
