import { beforeEach, describe, expect, it } from '@jest/globals';
import { Availability, RedisAway } from './availability.js';
import { redisUp } from './metrics.js';

const up = async () => (await redisUp.get()).values[0]?.value;
const answers = () => Promise.resolve('answer');
const fails = () => Promise.reject(new Error('Command timed out'));

describe('the availability of Redis', () => {
  let availability: Availability;
  let calls: number;
  const counted = () => {
    calls += 1;
    return answers();
  };

  beforeEach(() => {
    availability = new Availability();
    calls = 0;
  });

  it('is unknown before the first probe: nothing is tried, nobody waits', async () => {
    await expect(availability.run(counted)).rejects.toThrow(RedisAway);
    expect([calls, await up()]).toEqual([0, 0]);
  });

  it('begins with a probe that succeeds and ends with the first failure', async () => {
    await availability.probe(answers);
    expect([await availability.run(counted), await up()]).toEqual(['answer', 1]);
    await expect(availability.run(fails)).rejects.toThrow('Redis does not answer: Command timed out');
    await expect(availability.run(counted)).rejects.toThrow(RedisAway);
    expect([calls, await up()]).toEqual([1, 0]);
  });

  it('comes back only by a probe that succeeds', async () => {
    await expect(availability.probe(fails)).rejects.toThrow(RedisAway);
    await expect(availability.run(counted)).rejects.toThrow(RedisAway);
    await availability.probe(answers);
    expect(await availability.run(counted)).toBe('answer');
  });
});
