import { describe, expect, it } from '@jest/globals';
import { configurationProblems } from '@po/platform';
import { Settings } from './config.js';
import { isAddress, readMailbox } from './smtp-settings.js';

const NEEDED = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  DATABASE_URL_INTERNAL: 'postgres://mail_internal:secret@127.0.0.1/mail',
  ACTOR_VERIFICATION_KEYS: JSON.stringify({
    keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'k', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }],
  }),
};
const SENDING = {
  SMTP_URL: 'smtp://mail.example.com',
  MAIL_FROM: 'Orders <orders@example.com>',
  PUBLIC_URL: 'https://orders.example.com/',
};
const PASSWORD = import.meta.filename;

const problemsOf = (environment: Record<string, string>) => {
  const { error } = Settings.safeParse({ ...NEEDED, ...environment });
  return error ? configurationProblems(Settings, error).map((problem) => problem.split(':', 1)[0]) : [];
};

describe('the settings of the mail service', () => {
  it("do not require a mail server, but a mail server requires a sender and the portal's URL", () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf(SENDING)).toEqual([]);
    expect(problemsOf({ SMTP_URL: SENDING.SMTP_URL })).toEqual(['MAIL_FROM', 'PUBLIC_URL']);
    expect(problemsOf({ SMTP_TLS: 'required' })).toEqual(['SMTP_TLS']);
    expect(Settings.parse({ ...NEEDED, ...SENDING }).PUBLIC_URL).toBe('https://orders.example.com');
  });

  it.each([
    'mail.example.com',
    'http://mail.example.com',
    'smtp://u:password@mail.example.com',
    'smtp://m/x',
    'smtp://m?a=b',
    'smtp://team%ops@mail.example.com:587',
    'smtp://caf%E9@mail.example.com',
  ])('refuse %s as a mail server', (SMTP_URL) => expect(problemsOf({ ...SENDING, SMTP_URL })).toEqual(['SMTP_URL']));

  it('require a password for a user, and TLS for a password', () => {
    const user = { ...SENDING, SMTP_URL: 'smtp://orders@mail.example.com' };
    expect(problemsOf(user)).toEqual(['SMTP_PASSWORD_FILE']);
    expect(problemsOf({ ...SENDING, SMTP_PASSWORD_FILE: PASSWORD })).toEqual(['SMTP_PASSWORD_FILE']);
    expect(problemsOf({ ...user, SMTP_PASSWORD_FILE: PASSWORD })).toEqual([]);
    expect(problemsOf({ ...user, SMTP_PASSWORD_FILE: PASSWORD, SMTP_TLS: 'opportunistic' })).toEqual(['SMTP_TLS']);
    const local = { ...user, SMTP_URL: 'smtp://orders@127.0.0.1:1025', SMTP_PASSWORD_FILE: PASSWORD };
    expect(problemsOf({ ...local, SMTP_TLS: 'opportunistic' })).toEqual([]);
  });

  it('require a selector, an RSA key and a mail server for signatures', () => {
    expect(problemsOf({ ...SENDING, DKIM_SELECTOR: 'orders1' })).toEqual(['DKIM_SELECTOR']);
    for (const DKIM_SELECTOR of ['orders1', 'orders.1'])
      expect(problemsOf({ ...SENDING, DKIM_SELECTOR, DKIM_KEY_FILE: PASSWORD })).toContain('DKIM_KEY_FILE');
    expect(problemsOf({ ...SENDING, DKIM_SELECTOR: 'orders.1' })).toContain('DKIM_SELECTOR');
  });

  it.each(['nobody', 'a@b\r\nBcc: c@d', 'A <a@b>, c@d', '<a@b> c', 'A <a b@c>'])(
    'refuse %j as a sender',
    (MAIL_FROM) => {
      expect(problemsOf({ ...SENDING, MAIL_FROM })).toEqual(['MAIL_FROM']);
    },
  );
});

describe('a mail address', () => {
  it('is valid only without characters that have a meaning in an envelope or a header', () => {
    expect(['li.wei+po@acme.example', 'büro@münchen.example'].filter((text) => !isAddress(text))).toEqual([]);
    const bad = ['', '@', 'a', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b,c@d', 'a@b\n', '"a"@b', 'a@b>', 'a@b\u0000', 'a:b@c'];
    expect(bad.filter(isAddress)).toEqual([]);
    expect(readMailbox('"Orders" <orders@example.com>')).toEqual({ name: 'Orders', address: 'orders@example.com' });
  });
});
