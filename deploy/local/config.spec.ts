import { afterEach, describe, expect, it } from '@jest/globals';
import { childEnvironment, readSettings } from './config.js';

const SECURITY = { KAFKA_SSL: 'true', KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_SASL_PASSWORD_FILE: '/nowhere' };
const REMOTE = { KAFKA_BROKERS: 'kafka.example:9093', ...SECURITY };
const before = { ...process.env };

afterEach(() => {
  process.env = { ...before };
});

describe('the environment of a child process, with a remote Kafka in that of this process', () => {
  const kafkaOf = (changes: Record<string, string | null>) => {
    process.env = { ...before, ...REMOTE };
    return Object.fromEntries(Object.entries(childEnvironment(changes)).filter(([name]) => name.startsWith('KAFKA_')));
  };

  it('has no TLS or SASL of the remote Kafka if the child uses other brokers, such as those of this stack', () => {
    expect(kafkaOf({ KAFKA_BROKERS: '127.0.0.1:9092' })).toEqual({ KAFKA_BROKERS: '127.0.0.1:9092' });
    expect(kafkaOf({ KAFKA_BROKERS: null })).toEqual({});
    const own = { KAFKA_BROKERS: '127.0.0.1:9092', KAFKA_SSL: 'true' };
    expect(kafkaOf(own)).toEqual(own);
  });

  it('has all settings of the remote Kafka if the child uses that', () => {
    expect(kafkaOf({ KAFKA_BROKERS: REMOTE.KAFKA_BROKERS })).toEqual(REMOTE);
    expect(kafkaOf({})).toEqual(REMOTE);
  });
});

it('the environment of a child process has the TLS settings of a remote Redis only if the child uses that', () => {
  const remote = { REDIS_URL: 'rediss://redis.example:6379', REDIS_TLS_CA_FILE: '/nowhere' };
  process.env = { ...before, ...remote };
  expect(childEnvironment({ REDIS_URL: 'redis://127.0.0.1:6379' })).not.toHaveProperty('REDIS_TLS_CA_FILE');
  expect(childEnvironment({})).toMatchObject(remote);
  expect(childEnvironment({ REDIS_URL: remote.REDIS_URL })).toMatchObject(remote);
});

it('the settings have PORTAL, from which the stack shows the portal of an external identity provider', () => {
  process.env = { ...before, PORTAL: 'true' };
  expect(readSettings().portal).toEqual({ PORTAL: 'true' });
  process.env = { ...before, PORTAL: 'false' };
  expect(readSettings().portal).toEqual({});
});
