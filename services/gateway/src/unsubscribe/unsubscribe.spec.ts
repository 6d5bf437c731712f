import { Controller } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PATTERNS, ProblemError, type UnsubscribeQuery, type Unsubscription } from '@po/contracts';
import { RequestPattern, type Reply, type RpcContext, noContent, ok } from '@po/messaging';
import { type RunningGateway, runGateway } from '../fixtures/gateway.js';

const GOOD: Unsubscription = { userId: 'u-1', kinds: ['TRANSITION'] };
/** A user whose preferences cannot be saved. */
const UNSAVED = 'u-2';
/** A token of the right shape. */
const tokenOf = (payload: string) => `${payload}.${'s'.repeat(43)}`;
const GOOD_TOKEN = tokenOf('good');
/** Tokens that reached the mail service. */
const asked: string[] = [];
const turnedOff: { unsubscription: Unsubscription; by: string; role: string }[] = [];

@Controller()
class MailAndPreferences {
  @RequestPattern(PATTERNS.unsubscription)
  unsubscription({ token }: UnsubscribeQuery, _context: RpcContext): Reply<Unsubscription> {
    asked.push(token);
    if (token === tokenOf('failing')) throw new ProblemError('UNAVAILABLE');
    if (token === tokenOf('unsaved')) return ok({ ...GOOD, userId: UNSAVED });
    if (token !== GOOD_TOKEN) throw new ProblemError('BAD_REQUEST');
    return ok(GOOD);
  }

  @RequestPattern(PATTERNS.turnOffMail)
  turnOff(unsubscription: Unsubscription, { actor: { sub: by, role } }: RpcContext): Reply<never> {
    if (by === UNSAVED) throw new ProblemError('UNAVAILABLE');
    turnedOff.push({ unsubscription, by, role });
    return noContent();
  }
}

describe('the unsubscribe link of a mail (no user token)', () => {
  let gateway: RunningGateway;
  beforeEach(async () => {
    turnedOff.length = 0;
    asked.length = 0;
    gateway = await runGateway({ services: [MailAndPreferences], unsubscribe: true });
  });
  afterEach(() => gateway.stop());

  const call = (query: string, init: RequestInit = {}) =>
    gateway.call(`/unsubscribe${query}`, { token: null, ...init });

  it.each([
    ['en', 'Stop e-mails of this kind'],
    ['zh', '不再接收此类邮件'],
  ])('shows a page with a button in %s, and changes nothing', async (language, button) => {
    const answer = await call(`?token=${GOOD_TOKEN}`, { headers: { 'accept-language': language } });
    expect([answer.status, answer.headers.get('content-language')]).toEqual([200, language]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toContain(`<form method="post"><button type="submit">${button}</button></form>`);
    expect(turnedOff).toEqual([]);
  });

  it.each([
    ['a form', 'List-Unsubscribe=One-Click', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['an empty body', undefined, {}],
  ])('turns off the kinds of the mail by a POST with %s, on behalf of its user only', async (_with, body, headers) => {
    const answer = await call(`?token=${GOOD_TOKEN}`, { method: 'POST', body: body ?? null, headers });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('You will get no more e-mails of this kind.');
    expect(turnedOff).toEqual([{ unsubscription: GOOD, by: 'u-1', role: 'VIEWER' }]);
  });

  it.each(['failing', 'unsaved'])('answers 503 with Retry-After while a service fails: %s', async (payload) => {
    const answer = await call(`?token=${tokenOf(payload)}`, { method: 'POST' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  });

  it('answers 400 to a token that the mail service did not sign, and changes nothing', async () => {
    for (const method of ['GET', 'POST']) expect((await call(`?token=${tokenOf('bad')}`, { method })).status).toBe(400);
    expect([asked.length, turnedOff]).toEqual([2, []]);
  });

  it.each([
    '',
    '?token=',
    '?token=bad',
    `?token=${GOOD_TOKEN}s`,
    `?token=.${GOOD_TOKEN}`,
    `?token=${GOOD_TOKEN}&token=${GOOD_TOKEN}`,
    `?token=${tokenOf('a'.repeat(3_000))}`,
  ])('answers 400 without a request to the mail service if the token is malformed: %s', async (query) => {
    for (const method of ['GET', 'POST']) expect((await call(query, { method })).status).toBe(400);
    expect([asked, turnedOff]).toEqual([[], []]);
  });
});
