import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { z } from 'zod';
import { actorVerificationKeys, commonSettings, loadConfig, versionOf } from './config.js';

describe('the settings of every service', () => {
  it.each([
    'kafka:9092',
    'kafka-1.internal:9092, kafka_2:9093',
    '10.0.0.1:1',
    '[::1]:65535',
    '[FD00::a:1]:1,[::ffff:10.0.0.1]:2',
  ])('accept %s as brokers', (brokers) => expect(commonSettings.KAFKA_BROKERS.safeParse(brokers).success).toBe(true));

  it.each([
    'kafka',
    'kafka:',
    ':9092',
    'kafka:0',
    'kafka:65536',
    'kafka://kafka:9092',
    'a:9092,b',
    '::1:9092',
    '[::1]',
    '[:::]:9092',
    '[1]:9092',
    '[10.0.0.1]:9092',
    '[fe80::1%eth0]:9092',
  ])('refuse %s as brokers', (brokers) =>
    expect(commonSettings.KAFKA_BROKERS.safeParse(brokers).error?.issues[0]?.message).toMatch(
      /host:port pairs separated by commas: .* IPv6 address in brackets, and a port from 1 to 65535/,
    ),
  );

  // Node fires a timer above 2^31 ms immediately, which would skip the delay.
  it('refuse a drain delay above ten minutes', () =>
    expect(commonSettings.DRAIN_DELAY_MS.safeParse('2147483648').error?.issues[0]?.message).toMatch(/<=600000/));

  it('refuse verification keys of the wrong kind', () => {
    const key = { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid: 'k1' };
    const accepts = (value: object) => actorVerificationKeys.safeParse(JSON.stringify({ keys: [value] })).success;
    expect(accepts(key)).toBe(true);
    expect(accepts({ ...key, kid: undefined })).toBe(false);
    expect(accepts({ ...key, x: 'short' })).toBe(false);
    expect(accepts({ kty: 'oct', k: 'c2VjcmV0', kid: 'k1' })).toBe(false);
  });
});

describe('the environment', () => {
  afterEach(() => void jest.restoreAllMocks());

  /** The settings, or else what is written to stderr before the process exits with 78. */
  function load(environment: NodeJS.ProcessEnv): Record<string, unknown> | string {
    let problems = '';
    jest.replaceProperty(process, 'env', environment);
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((problems += String(text))));
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    try {
      return loadConfig(z.object(commonSettings));
    } catch (error) {
      return `${(error as Error).message}: ${problems}`;
    }
  }

  it('may have white space around values, which only passwords keep', () => {
    const kafka = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: ' user\n', KAFKA_SASL_PASSWORD: ' a b \n' };
    const blank = { DRAIN_DELAY_MS: ' ', OTEL_TRACES_SAMPLER_ARG: '\n', INSTANCE_ID: ' ' };
    expect(load({ ...kafka, ...blank, KAFKA_BROKERS: 'kafka:9092\n', MANAGEMENT_PORT: ' 80 ' })).toEqual({
      ...(load({ KAFKA_BROKERS: 'kafka:9092' }) as object),
      KAFKA_SASL_MECHANISM: 'plain',
      KAFKA_SASL_USERNAME: 'user',
      KAFKA_SASL_PASSWORD: ' a b ',
      MANAGEMENT_PORT: 80,
    });
  });

  it.each(['0x10', '1e3', '0b1', 'Infinity', '1,000', '-1', '1.5'])(
    'may not have %s as a whole number',
    (DRAIN_DELAY_MS) =>
      expect(load({ KAFKA_BROKERS: 'kafka:9092', DRAIN_DELAY_MS })).toMatch(
        /^exit 78: .*1 problem.*\n {2}DRAIN_DELAY_MS: /,
      ),
  );

  it.each(['0.25', '.25'])('may have %s as a fraction', (OTEL_TRACES_SAMPLER_ARG) =>
    expect(load({ KAFKA_BROKERS: 'kafka:9092', OTEL_TRACES_SAMPLER_ARG })).toHaveProperty(
      'OTEL_TRACES_SAMPLER_ARG',
      0.25,
    ),
  );

  it('must not disable the verification of certificates', () =>
    expect(load({ KAFKA_BROKERS: 'kafka:9092', NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toMatch(
      /^exit 78: .*1 problem.*\n {2}NODE_TLS_REJECT_UNAUTHORIZED: must not be 0/,
    ));
});

describe('the version', () => {
  it('comes from the image build', () => {
    expect(versionOf({ APP_VERSION: '1.4.0-rc.1' })).toBe('1.4.0-rc.1');
  });

  it.each([{}, { APP_VERSION: '' }])('is that of the root package.json in the environment %j', (environment) => {
    const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
    expect(versionOf(environment)).toBe((JSON.parse(manifest) as { version: string }).version);
  });
});
