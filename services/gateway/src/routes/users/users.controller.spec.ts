import { describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { type DeleteUser, PATTERNS, ProblemError, TOPICS, type UserDeleted, UserSeen } from '@po/contracts';
import { type Reply, type RpcContext, noContent } from '@po/messaging';
import { eventually } from '@po/testing/eventually';
import { gatewayForTests } from '../../fixtures/gateway.js';

const calls: [string, string][] = [];
const keys: (string | null)[] = [];
const deletions: UserDeleted[] = [];
const deletedAt = '2026-01-02T03:04:05.678Z';

@Controller()
class Directory {
  @MessagePattern(PATTERNS.deleteUser.type)
  deleteUser(@Payload() { userId }: DeleteUser, @Ctx() { actor, idempotencyKey }: RpcContext): Reply {
    calls.push([actor.role, userId]);
    keys.push(idempotencyKey);
    if (userId === 'nobody') throw new ProblemError('USER_NOT_FOUND');
    return { ...noContent(), body: { sub: userId, deletedAt } };
  }

  @MessagePattern(PATTERNS.deleteKnownUser.type)
  deleteKnownUser(@Payload() user: UserDeleted): Reply {
    if (user.sub === 'u-unlucky') throw new ProblemError('UNAVAILABLE');
    deletions.push(user);
    return noContent();
  }
}

describe('UsersController', () => {
  const gateway = gatewayForTests({ services: [Directory] });

  const remove = (userId: string, claims: Record<string, unknown> = { sub: 'u-admin', role: 'ADMIN' }) =>
    gateway.call(`/api/users/${encodeURIComponent(userId)}`, {
      method: 'DELETE',
      token: gateway.provider.token(claims),
    });
  const announced = (sub: string) =>
    gateway.kafka
      .records(TOPICS.users)
      .filter(({ value }) => UserSeen.parse(JSON.parse(value?.toString() ?? '')).sub === sub).length;

  it('answers 204 without a body, passes ids on unchanged, and passes on the errors of the service', async () => {
    const answer = await remove('auth0|李/1');
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([204, '', null]);
    expect(calls).toContainEqual(['ADMIN', 'auth0|李/1']);
    const refused = await remove('nobody');
    expect([refused.status, await refused.json()]).toEqual([404, expect.objectContaining({ code: 'USER_NOT_FOUND' })]);
    const tooLong = await remove('x'.repeat(256));
    expect([tooLong.status, calls.length]).toEqual([404, 2]);
  });

  it('deletes a user in the order service too, as of the same instant, before the 204, and sends the 204 even without its reply', async () => {
    expect((await remove('u-mentioned')).status).toBe(204);
    expect(deletions.filter(({ sub }) => sub === 'u-mentioned')).toEqual([{ sub: 'u-mentioned', deletedAt }]);
    const answer = await remove('u-unlucky');
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect((await remove('nobody')).status).toBe(404);
    expect(deletions.filter(({ sub }) => sub !== 'u-mentioned' && sub !== 'auth0|李/1')).toEqual([]);
  });

  it("passes on the request's idempotency key, and refuses an invalid one", async () => {
    const path = '/api/users/u-1';
    const init = { method: 'DELETE', token: gateway.provider.token({ sub: 'u-admin', role: 'ADMIN' }) };
    expect((await gateway.call(path, { ...init, headers: { 'idempotency-key': 'key-1' } })).status).toBe(204);
    expect(keys.at(-1)).toBe('key-1');
    const before = keys.length;
    expect((await gateway.call(path, { ...init, headers: { 'idempotency-key': 'a b' } })).status).toBe(400);
    expect(keys).toHaveLength(before);
  });

  it('announces a deleted user again on the next request', async () => {
    const token = gateway.provider.token({ sub: 'u-back', role: 'VENDOR', vendor_code: 'ACME' });
    const request = () => gateway.call('/api/users/u-1', { method: 'DELETE', token });
    await request();
    await eventually('the user is announced', () => announced('u-back') === 1);
    await request();
    await remove('u-back');
    await request();
    await eventually('the user is announced again', () => announced('u-back') === 2);
  });
});
