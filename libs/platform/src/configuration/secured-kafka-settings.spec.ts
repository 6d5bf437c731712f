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

/** What is wrong, without what it means and its example. */
function problems(environment: Environment): string[] {
  const { error } = schema.safeParse({ KAFKA_BROKERS: 'kafka:9093', ...environment });
  return error ? configurationProblems(schema, error).map((line) => line.split(' — ')[0] ?? '') : [];
}

const TLS = { KAFKA_SSL: 'true' };
const scram = { KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_SASL_USERNAME: 'me' };

describe('the connection settings of Kafka', () => {
  it.each<[string, () => Environment]>([
    ['in plain text', () => ({})],
    ['by TLS', () => TLS],
    ['with authorities of its own', () => ({ ...TLS, KAFKA_SSL_CA_FILE: mine.ca })],
    ['with a certificate', () => ({ ...TLS, KAFKA_SSL_CERT_FILE: mine.cert, KAFKA_SSL_KEY_FILE: mine.key })],
    ['with a password', () => ({ ...scram, KAFKA_SASL_PASSWORD: 'secret' })],
    ['with a password in a file', () => ({ ...scram, KAFKA_SASL_PASSWORD_FILE: password })],
    ['with a password told', () => ({ ...TLS, ...scram, KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_PASSWORD: 'x' })],
  ])('may be %s', (_, environment) => expect(problems(environment())).toEqual([]));

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
      "somebody else's key",
      () => ({ ...TLS, KAFKA_SSL_CERT_FILE: mine.cert, KAFKA_SSL_KEY_FILE: other.key }),
      ['KAFKA_SSL_KEY_FILE: is not the key of the certificate in KAFKA_SSL_CERT_FILE'],
    ],
    [
      'a mechanism alone',
      () => ({ KAFKA_SASL_MECHANISM: 'scram-sha-256' }),
      [
        'KAFKA_SASL_USERNAME: needed with KAFKA_SASL_MECHANISM',
        'KAFKA_SASL_PASSWORD: needed with KAFKA_SASL_MECHANISM, or else KAFKA_SASL_PASSWORD_FILE',
      ],
    ],
    [
      'who one is without a mechanism',
      () => ({ KAFKA_SASL_USERNAME: 'me', KAFKA_SASL_PASSWORD: 'secret' }),
      ['KAFKA_SASL_USERNAME: needs KAFKA_SASL_MECHANISM', 'KAFKA_SASL_PASSWORD: needs KAFKA_SASL_MECHANISM'],
    ],
    [
      'a password for everybody to read',
      () => ({ ...scram, KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_PASSWORD: 'secret' }),
      ['KAFKA_SASL_MECHANISM: plain needs KAFKA_SSL=true, or everybody on the way could read the password'],
    ],
    [
      'two passwords',
      () => ({ ...scram, KAFKA_SASL_PASSWORD: 'secret', KAFKA_SASL_PASSWORD_FILE: password }),
      [
        'KAFKA_SASL_PASSWORD_FILE: must not be set beside KAFKA_SASL_PASSWORD: one of the two would not be the password',
      ],
    ],
  ])('cannot be %s', (_, environment, told) => expect(problems(environment())).toEqual(told));

  it('are refused with every problem at once, of single files and of combinations', () => {
    const told = problems({
      KAFKA_BROKERS: 'kafka',
      KAFKA_SSL: 'yes',
      KAFKA_SSL_CA_FILE: join(dir, 'nothing'),
      KAFKA_SSL_CERT_FILE: mine.key,
      KAFKA_SSL_KEY_FILE: mine.cert,
      KAFKA_SASL_MECHANISM: 'scram-sha-256',
      KAFKA_SASL_PASSWORD_FILE: join(dir, 'empty'),
    });
    expect(told).toEqual([
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
