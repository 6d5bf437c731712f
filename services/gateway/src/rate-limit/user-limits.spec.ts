import { describe, expect, it } from '@jest/globals';
import { type Actor, TOPICS } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import { runGateway } from '../fixtures/gateway.js';

describe('the rate limits of a user', () => {
  it('refuse a request above the limit with 429 before it is validated, and affect no other user', async () => {
    const gateway = await runGateway({ limits: { read: 2, write: 1 } });
    try {
      const as = (sub: string, path: string, method = 'GET') =>
        gateway.call(`/api${path}`, { method, token: gateway.provider.token({ sub }) });
      expect((await as('u-1', '/purchase-orders/-')).status).toBe(404);
      expect((await as('u-1', '/purchase-orders/-', 'HEAD')).status).toBe(404);
      const refused = await as('u-1', '/purchase-orders?limit=0');
      expect(refused.status).toBe(429);
      const retryAfter = Number(refused.headers.get('retry-after'));
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(60);
      expect(await refused.json()).toMatchObject({
        code: 'RATE_LIMITED',
        detail: `Too many requests; try again in ${retryAfter} s.`,
      });
      expect((await as('u-1', '/notifications/%00/read', 'PUT')).status).toBe(404);
      expect((await as('u-1', '/notifications/%00/read', 'PUT')).status).toBe(429);
      expect((await as('u-2', '/purchase-orders/-')).status).toBe(404);
      expect((await as('u-1', '/nothing')).status).toBe(404);
    } finally {
      await gateway.stop();
    }
  });

  it('keep a refused request from being announced', async () => {
    const gateway = await runGateway({ limits: { read: 1, write: 1 } });
    try {
      const as = async (sub: string, name: string) =>
        (await gateway.call('/api/purchase-orders/-', { token: gateway.provider.token({ sub, name }) })).status;
      const announced = () =>
        gateway.kafka.records(TOPICS.users).map(({ value }) => JSON.parse(String(value)) as Actor);
      expect([await as('u-1', 'Mo'), await as('u-1', 'Lu'), await as('u-2', 'Bo')]).toEqual([404, 429, 404]);
      await eventually('the last user is announced', () => announced().some(({ sub }) => sub === 'u-2'));
      expect(announced().map(({ name }) => name)).toEqual(['Mo', 'Bo']);
    } finally {
      await gateway.stop();
    }
  });
});
