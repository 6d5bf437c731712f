import { describe, expect, it } from '@jest/globals';
import { chooseInfrastructure } from './infrastructure.js';

const place = { dir: '/nowhere', cache: '/nowhere' };
const external = {
  kafkaBrokers: '127.0.0.1:1',
  databaseUrl: 'postgres://x@127.0.0.1:1/x',
  redisUrl: 'redis://127.0.0.1:1',
};

describe('the choice of stores', () => {
  it('uses the configured stores if all three are configured', async () => {
    await expect(chooseInfrastructure({ ...place, settings: { infrastructure: null, external } })).resolves.toBe(
      'external',
    );
  });

  it('fails and names the missing settings if the requested kind is not available', async () => {
    const partly = { kafkaBrokers: external.kafkaBrokers };
    await expect(
      chooseInfrastructure({ ...place, settings: { infrastructure: 'external', external: partly } }),
    ).rejects.toThrow(/external: DATABASE_URL is not set\n.*external: REDIS_URL is not set/);
  });
});
