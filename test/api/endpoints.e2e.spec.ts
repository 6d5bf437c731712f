import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Message } from '@po/contracts';
import { readStack } from '../support/stack.js';
import { type World, openWorld } from '../e2e/world.js';
import { PUBLISHED } from './document.js';
import { RULES } from '../../deploy/documents/access-rules/all.js';
import type { Subject, Verdict } from '../../deploy/documents/access-rules/rule.js';
import { sendAndCheck } from './send.js';

const UNREADABLE: readonly Verdict[] = ['refused', 'unknown'];
const READS = PUBLISHED.filter(({ id, method }) => method === 'GET' && id !== 'streamNotifications').flatMap(
  ({ id, path }) =>
    (RULES[id] ?? [])
      .filter(
        ({ verdicts }) => ![verdicts.BUYER, verdicts['own vendor']].some((verdict) => UNREADABLE.includes(verdict)),
      )
      .map((rule) => [`${path} ${rule.part}`.trim(), rule] as const),
);

describe('the read endpoints', () => {
  let world: World;
  let poRef: string;
  let messages: Subject['messages'];
  beforeAll(async () => {
    world = openWorld();
    ({ poNumber: poRef } = await world.importOrder());
    const written = await world
      .as('vendor:ACME')
      .post<Message>(`/purchase-orders/${poRef}/messages`, { body: 'Hello' });
    messages = { poRef, shown: written.body.id, internal: '' };
  });

  it.each(READS)('answer GET %s with 200 for every role', async (_title, { request, verdicts }) => {
    const { path } = request({
      poRef,
      vendorCode: 'ACME',
      buyerEmail: 'buyer@example.com',
      rowHash: '',
      notificationId: '',
      userId: '',
      suppressed: '',
      views: { private: '', shared: '', internal: '' },
      policy: '',
      messages,
    });
    for (const user of ['buyer', 'vendor:ACME', 'admin', 'viewer'] as const) {
      const { status, body } = await sendAndCheck({ method: 'GET', path }, readStack().tokens[user]);
      // Only a list over several orders may be empty; an answer about this order has content.
      const isMissing = verdicts['other vendor'] !== 'hidden' && isDeepStrictEqual(body, []);
      expect([user, status, isMissing]).toEqual([user, 200, false]);
    }
  });
});
