import { beforeEach, describe, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { Breaker, RedisUnavailableError, reportRedis } from './breaker.js';

const answers = () => Promise.resolve('answer');
const fails = () => Promise.reject(new Error('Command timed out'));

let calls: number;
const counted = () => {
  calls += 1;
  return answers();
};

beforeEach(() => {
  calls = 0;
});

describe('a breaker that only a successful probe closes', () => {
  let breaker: Breaker;

  beforeEach(() => {
    breaker = new Breaker();
  });

  it('is open before the first probe: it rejects immediately and tries nothing', async () => {
    await expect(breaker.run(counted)).rejects.toThrow(RedisUnavailableError);
    expect([calls, breaker.isOpen]).toEqual([0, true]);
  });

  it('closes with a successful probe and opens with the first failure', async () => {
    await breaker.probe(answers);
    expect([await breaker.run(counted), breaker.isOpen]).toEqual(['answer', false]);
    await expect(breaker.run(fails)).rejects.toThrow('Redis does not answer: Command timed out');
    await expect(breaker.run(counted)).rejects.toThrow(RedisUnavailableError);
    expect([calls, breaker.isOpen]).toEqual([1, true]);
  });

  it('closes again only with a successful probe', async () => {
    await expect(breaker.probe(fails)).rejects.toThrow(RedisUnavailableError);
    await expect(breaker.run(counted)).rejects.toThrow(RedisUnavailableError);
    await breaker.probe(answers);
    expect(await breaker.run(counted)).toBe('answer');
    breaker.open();
    await expect(breaker.run(counted)).rejects.toThrow(RedisUnavailableError);
  });
});

describe('a breaker with a finite open time', () => {
  let now: number;
  let breaker: Breaker;

  beforeEach(() => {
    now = 0;
    breaker = new Breaker(1_000, () => now);
  });

  it('tries Redis immediately, and again when the open time after a failure is over', async () => {
    expect(await breaker.run(counted)).toBe('answer');
    await expect(breaker.run(fails)).rejects.toThrow(RedisUnavailableError);
    now = 999;
    await expect(breaker.run(counted)).rejects.toThrow(RedisUnavailableError);
    expect(calls).toBe(1);
    now = 1_000;
    expect(await breaker.run(counted)).toBe('answer');
  });

  it('starts its open time when the failure is known', async () => {
    const late = () => {
      now = 50;
      return fails();
    };
    await expect(breaker.run(late)).rejects.toThrow(RedisUnavailableError);
    now = 1_049;
    expect(breaker.isOpen).toBe(true);
    now = 1_050;
    expect(breaker.isOpen).toBe(false);
  });
});

it('redis_up is 1 while the connection is ready and the breaker is closed', async () => {
  const connection: { status: 'ready' | 'reconnecting' } = { status: 'ready' };
  const breaker = new Breaker();
  reportRedis(connection, breaker);
  const up = async () => (await register.getSingleMetric('redis_up')?.get())?.values[0]?.value;
  expect(await up()).toBe(0);
  await breaker.probe(answers);
  expect(await up()).toBe(1);
  connection.status = 'reconnecting';
  expect(await up()).toBe(0);
});
