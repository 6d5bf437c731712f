import { describe, expect, it } from '@jest/globals';
import { gatewayForTests } from '../fixtures/gateway.js';

describe('allowOrigins', () => {
  const origin = 'https://portal.example.com';
  const gateway = gatewayForTests({ corsOrigins: [origin] });

  const preflight = (path: string, from = origin) =>
    gateway.call(path, {
      method: 'OPTIONS',
      headers: {
        origin: from,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'x-user-token',
      },
    });

  it('answers a preflight of a listed origin without a token', async () => {
    const response = await preflight('/api/purchase-orders/PO-1');
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(response.headers.get('access-control-allow-headers')).toContain('X-User-Token');
    expect(response.headers.get('access-control-allow-headers')).toContain('Last-Event-ID');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('does not allow another origin', async () => {
    const response = await preflight('/api/purchase-orders/PO-1', 'https://attacker.example');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('answers 404 to a preflight for an unknown path, and 405 to an OPTIONS request that is not a preflight', async () => {
    expect((await preflight('/api/nothing')).status).toBe(404);
    const plain = await gateway.call('/api/me', { method: 'OPTIONS' });
    expect([plain.status, plain.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('lets a listed origin read responses and the documented headers', async () => {
    for (const token of [gateway.provider.token(), null]) {
      const response = await gateway.call('/api/purchase-orders/-', { token, headers: { origin } });
      expect(response.status).toBe(token ? 404 : 401);
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('vary')).toBe('X-User-Token, Accept-Language, Origin');
      expect(response.headers.get('access-control-expose-headers')).toBe(
        'ETag, Link, Location, Retry-After, X-Request-Id, X-Total-Count, X-Unread-Count, Idempotency-Replayed, Content-Disposition',
      );
    }
  });
});
