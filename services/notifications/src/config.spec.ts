import { describe, expect, it } from '@jest/globals';
import { configurationProblems } from '@po/platform';
import { Settings, defaultsOf } from './config.js';

const REQUIRED = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  DATABASE_URL_INTERNAL: 'postgres://internal:secret@127.0.0.1/notifications',
  DATABASE_URL_USER: 'postgres://user:secret@127.0.0.1/notifications',
  REDIS_URL: 'redis://127.0.0.1:6379',
  ACTOR_VERIFICATION_KEYS: JSON.stringify({
    keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'k1', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }],
  }),
};

describe('the default preferences', () => {
  const problemsOf = (settings: Record<string, string>) => {
    const { error } = Settings.safeParse({ ...REQUIRED, ...settings });
    return error ? configurationProblems(Settings, error) : [];
  };

  it('are the documented ones if nothing is configured', () => {
    expect(defaultsOf(Settings.parse(REQUIRED))).toEqual({
      timeZone: 'UTC',
      mail: { TRANSITION: 'digest', MESSAGE: 'now', REMINDER: 'now' },
      digestAt: '08:00',
    });
  });

  it('follow the settings', () => {
    const settings = Settings.parse({
      ...REQUIRED,
      BUSINESS_TIME_ZONE: 'Asia/Shanghai',
      MAIL_DEFAULT_TRANSITION: 'off',
      MAIL_DEFAULT_MESSAGE: 'digest',
      MAIL_DEFAULT_REMINDER: 'off',
      MAIL_DEFAULT_DIGEST_AT: '17:45',
    });
    expect(defaultsOf(settings)).toEqual({
      timeZone: 'Asia/Shanghai',
      mail: { TRANSITION: 'off', MESSAGE: 'digest', REMINDER: 'off' },
      digestAt: '17:45',
    });
  });

  it.each([
    ['BUSINESS_TIME_ZONE', 'Shanghai'],
    ['BUSINESS_TIME_ZONE', '+08:00'],
    ['MAIL_DEFAULT_TRANSITION', 'daily'],
    ['MAIL_DEFAULT_MESSAGE', 'NOW'],
    ['MAIL_DEFAULT_REMINDER', 'later'],
    ['MAIL_DEFAULT_DIGEST_AT', '8:00'],
    ['MAIL_DEFAULT_DIGEST_AT', '24:00'],
  ])('fail the start for an invalid setting: %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name}: .+; for example ${name}=`)),
    ]);
  });
});
