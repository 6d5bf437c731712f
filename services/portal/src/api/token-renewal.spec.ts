import { describe, expect, it } from '@jest/globals';
import { withTokenRenewal } from './token-renewal.js';

/** An API that accepts the tokens in `taken`, and a session that issues `tokens` in order; the session is over when none is left. */
function setUp({ taken, tokens }: { taken: string[]; tokens: string[] }) {
  const seen: { token: string | null; body: string }[] = [];
  let renewals = 0;
  let present = tokens.shift() ?? '';
  const send = withTokenRenewal(
    {
      token: () => Promise.resolve(present),
      renew: () => {
        renewals += 1;
        const next = tokens.shift();
        if (next === undefined) return Promise.reject(new Error('over'));
        present = next;
        return Promise.resolve(next);
      },
    },
    async (request) => {
      const token = request.headers.get('x-user-token');
      seen.push({ token, body: await request.text() });
      return new Response(token !== null && taken.includes(token) ? 'done' : 'refused', {
        status: token !== null && taken.includes(token) ? 200 : 401,
      });
    },
  );
  const call = async (token: string, more: Record<string, string> = {}) => {
    const headers = { 'X-User-Token': token, ...more };
    const request = new Request('http://x/api', { method: 'POST', body: 'b', headers });
    const response = await send(request);
    return [response.status, await response.text()];
  };
  return { call, seen, renewals: () => renewals };
}

describe('token renewal', () => {
  it('sends a refused request again once, unchanged, with a new token', async () => {
    const { call, seen } = setUp({ taken: ['t2'], tokens: ['t1', 't2'] });
    expect(await call('t1')).toEqual([200, 'done']);
    expect(seen).toEqual([
      { token: 't1', body: 'b' },
      { token: 't2', body: 'b' },
    ]);
  });

  it('sends a refused request again with a token that was renewed in the meantime, without another renewal', async () => {
    const { call, seen, renewals } = setUp({ taken: ['t2'], tokens: ['t2'] });
    expect(await call('t1')).toEqual([200, 'done']);
    expect([seen.length, renewals()]).toEqual([2, 0]);
  });

  it('returns 401 if the new token is refused too, without further attempts', async () => {
    const { call, seen } = setUp({ taken: [], tokens: ['t1', 't2', 't3'] });
    expect(await call('t1')).toEqual([401, 'refused']);
    expect(seen).toHaveLength(2);
  });

  it('returns 401 if the session is over', async () => {
    const { call, seen } = setUp({ taken: [], tokens: ['t1'] });
    expect(await call('t1')).toEqual([401, 'refused']);
    expect(seen).toHaveLength(1);
  });

  it('throws the error of a failed renewal to the live stream, which then connects again later', async () => {
    const { call } = setUp({ taken: [], tokens: ['t1'] });
    await expect(call('t1', { Accept: 'text/event-stream' })).rejects.toThrow('over');
  });

  it('sends a request only once if its token is accepted', async () => {
    const { call, renewals } = setUp({ taken: ['t1'], tokens: ['t1', 't2'] });
    expect([await call('t1'), renewals()]).toEqual([[200, 'done'], 0]);
  });
});
