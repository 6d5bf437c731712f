import { describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern } from '@nestjs/microservices';
import { PATTERNS, ProblemError } from '@po/contracts';
import { type Reply, type RpcContext, ok } from '@po/messaging';
import { gatewayForTests } from '../../fixtures/gateway.js';

@Controller()
class Services {
  @MessagePattern(PATTERNS.profile.type)
  profile(): Reply {
    return ok({ vendorName: 'Acme Apparel', permissions: ['SUBMIT', 'REOPEN'], internal: 1 });
  }

  @MessagePattern(PATTERNS.unreadCount.type)
  unreadCount(@Ctx() { actor }: RpcContext): Reply {
    if (actor.sub === 'u-unlucky') throw new ProblemError('UNAVAILABLE', {}, { headers: { 'retry-after': '2' } });
    return ok({ unreadNotifications: 3 });
  }
}

describe('MeController', () => {
  const gateway = gatewayForTests({ services: [Services] });

  const me = (claims: Record<string, unknown>) =>
    gateway.call('/api/me', { token: gateway.provider.token({ role: 'VENDOR', vendor_code: 'ACME', ...claims }) });

  it('returns the current user, with actions that only a newer service knows, and passes on an error of either service', async () => {
    const answer = await me({ sub: 'u-acme', name: 'Li', locale: 'zh' });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        userId: 'u-acme',
        email: null,
        name: 'Li',
        role: 'VENDOR',
        vendorCode: 'ACME',
        vendorName: 'Acme Apparel',
        locale: 'zh',
        permissions: ['SUBMIT', 'REOPEN'],
        unreadNotifications: 3,
      },
    ]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const refused = await me({ sub: 'u-unlucky' });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' });
  });
});
