import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { type IdentityFiles, makeAuthority, writeIdentity } from '@po/testing/certificates';
import { configurationProblems, kafkaRules, kafkaSettings } from './config.js';
import { withCrossFieldRules } from './cross-field-rules.js';

type Environment = Record<string, string | undefined>;

let dir: string;
let mine: IdentityFiles;
let other: IdentityFiles;
let password: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-settings-'));
  const authority = await makeAuthority('authority');
  mine = await writeIdentity(join(dir, 'mine'), authority, await authority.certify('mine'));
  other = await writeIdentity(join(dir, 'other'), authority, await authority.certify('other'));
  password = join(dir, 'password');
  await writeFile(password, 'secret\n');
  await writeFile(join(dir, 'empty'), '\n');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const schema = withCrossFieldRules(z.object(kafkaSettings), kafkaRules);

/** Configuration problems without their meaning and example. */
function problems(environment: Environment): string[] {
  const { error } = schema.safeParse({ KAFKA_BROKERS: 'kafka:9093', ...environment });
  return error ? configurationProblems(schema, error).map((line) => line.split(' — ')[0] ?? '') : [];
}

const TLS = { KAFKA_SSL: 'true' };
const scram = { KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_SASL_USERNAME: 'me' };

describe('the Kafka connection settings', () => {
  it.each<[string, () => Environment]>([
    ['plain text', () => ({})],
    ['TLS', () => TLS],
    ['a private CA', () => ({ ...TLS, KAFKA_SSL_CA_FILE: mine.ca })],
    ['a client certificate', () => ({ ...TLS, KAFKA_SSL_CERT_FILE: mine.cert, KAFKA_SSL_KEY_FILE: mine.key })],
    ['a password', () => ({ ...scram, KAFKA_SASL_PASSWORD: 'secret' })],
    ['a password in a file', () => ({ ...scram, KAFKA_SASL_PASSWORD_FILE: password })],
    ['mechanism plain over TLS', () => ({ ...TLS, ...scram, KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_PASSWORD: 'x' })],
  ])('allow %s', (_, environment) => expect(problems(environment())).toEqual([]));

  it.each<[string, () => Environment, string[]]>([
    [
      'files without TLS',
      () => ({ KAFKA_SSL_CA_FILE: mine.ca, KAFKA_SSL_CERT_FILE: mine.cert, KAFKA_SSL_KEY_FILE: mine.key }),
      ['CA', 'CERT', 'KEY'].map((file) => `KAFKA_SSL_${file}_FILE: needs KAFKA_SSL=true`),
    ],
    [
      'a certificate without its key',
      () => ({ ...TLS, KAFKA_SSL_CERT_FILE: mine.cert }),
      ['KAFKA_SSL_KEY_FILE: needed with KAFKA_SSL_CERT_FILE'],
    ],
    [
      'a key without its certificate',
      () => ({ ...TLS, KAFKA_SSL_KEY_FILE: mine.key }),
      ['KAFKA_SSL_CERT_FILE: needed with KAFKA_SSL_KEY_FILE'],
    ],
    [
      'the key of another certificate',
      () => ({ ...TLS, KAFKA_SSL_CERT_FILE: mine.cert, KAFKA_SSL_KEY_FILE: other.key }),
      ['KAFKA_SSL_KEY_FILE: is not the key of the certificate in KAFKA_SSL_CERT_FILE'],
    ],
    [
      'a mechanism without a user and password',
      () => ({ KAFKA_SASL_MECHANISM: 'scram-sha-256' }),
      [
        'KAFKA_SASL_USERNAME: needed with KAFKA_SASL_MECHANISM',
        'KAFKA_SASL_PASSWORD: needed with KAFKA_SASL_MECHANISM, or else KAFKA_SASL_PASSWORD_FILE',
      ],
    ],
    [
      'a user and password without a mechanism',
      () => ({ KAFKA_SASL_USERNAME: 'me', KAFKA_SASL_PASSWORD: 'secret' }),
      ['KAFKA_SASL_USERNAME: needs KAFKA_SASL_MECHANISM', 'KAFKA_SASL_PASSWORD: needs KAFKA_SASL_MECHANISM'],
    ],
    [
      'mechanism plain without TLS',
      () => ({ ...scram, KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_PASSWORD: 'secret' }),
      ['KAFKA_SASL_MECHANISM: plain needs KAFKA_SSL=true, because it sends the password in clear text'],
    ],
    [
      'two passwords',
      () => ({ ...scram, KAFKA_SASL_PASSWORD: 'secret', KAFKA_SASL_PASSWORD_FILE: password }),
      [
        'KAFKA_SASL_PASSWORD_FILE: must not be set together with KAFKA_SASL_PASSWORD: only one of them can be the password',
      ],
    ],
  ])('refuse %s', (_, environment, expected) => expect(problems(environment())).toEqual(expected));

  it('report all problems at once, of single settings and of combinations', () => {
    const reported = problems({
      KAFKA_BROKERS: 'kafka',
      KAFKA_SSL: 'yes',
      KAFKA_SSL_CA_FILE: join(dir, 'nothing'),
      KAFKA_SSL_CERT_FILE: mine.key,
      KAFKA_SSL_KEY_FILE: mine.cert,
      KAFKA_SASL_MECHANISM: 'scram-sha-256',
      KAFKA_SASL_PASSWORD_FILE: join(dir, 'empty'),
    });
    expect(reported).toEqual([
      expect.stringContaining('KAFKA_BROKERS: must be host:port'),
      expect.stringContaining('KAFKA_SSL: '),
      expect.stringMatching(/^KAFKA_SSL_CA_FILE: must be the path of a file with PEM certificates: .*ENOENT/),
      'KAFKA_SSL_CERT_FILE: must be the path of a file with PEM certificates: there is no certificate in it',
      expect.stringContaining('KAFKA_SSL_KEY_FILE: must be the path of a file with a PEM private key'),
      'KAFKA_SASL_PASSWORD_FILE: must be the path of a file with a password: it is empty',
      ...[`KAFKA_SSL_CA_FILE`, 'KAFKA_SSL_CERT_FILE', 'KAFKA_SSL_KEY_FILE'].map(
        (name) => `${name}: needs KAFKA_SSL=true`,
      ),
      'KAFKA_SASL_USERNAME: needed with KAFKA_SASL_MECHANISM',
    ]);
  });
});
