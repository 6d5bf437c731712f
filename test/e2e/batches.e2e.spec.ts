import { describe, expect, it } from '@jest/globals';
import type { TransitionOutcome, TransitionsResult } from '@po/contracts';
import type { DemoUser } from '../support/stack.js';
import { act, footprint, historyOf, openWorld } from './world.js';

const UNKNOWN = 'E2E-UNKNOWN';

interface Item {
  poRef: string;
  action: string;
  comment?: string;
  version?: number;
}

describe('a batch of transitions', () => {
  const world = openWorld();

  const imported = async (vendor?: 'BOLT') => {
    const changes = vendor ? { vendor: { code: vendor, name: 'Bolt Garments Co.' } } : {};
    return (await world.importOrder(changes)).poNumber;
  };
  const submitted = async () => {
    const poRef = await imported();
    await act(world.as('vendor:ACME'), poRef, 'SUBMIT');
    return poRef;
  };
  const summaryOf = ({ results }: TransitionsResult) =>
    results.map(({ poRef, status, problem }) => [poRef, status, problem?.code ?? null]);
  const footprints = (poRefs: string[]) => Promise.all(poRefs.map((poRef) => footprint(world.as('admin'), poRef)));

  /** Sends the item as a single request and returns its status and problem. */
  async function single(user: DemoUser, { poRef, action, version }: Item) {
    const headers = version === undefined ? undefined : { 'if-match': `"${version}"` };
    const path = `/purchase-orders/${encodeURIComponent(poRef)}/transition`;
    const { status, body } = await world.as(user).post<object>(path, { action }, headers);
    return { status, problem: { ...body, requestId: '' } };
  }

  it('executes the valid items and refuses each of the others exactly as a single request does', async () => {
    const [approved, rejected, stale, open, foreign] = [
      await submitted(),
      await submitted(),
      await submitted(),
      await imported(),
      await imported('BOLT'),
    ];
    const refused = [
      // Version 0 is below every version and therefore stale, as in a single request.
      { poRef: stale, action: 'APPROVE', version: 0 },
      { poRef: open, action: 'APPROVE' },
      { poRef: UNKNOWN, action: 'APPROVE' },
      { poRef: 'not a/number', action: 'APPROVE' },
      { poRef: foreign, action: 'SUBMIT' },
    ];
    const before = await footprints([stale, open, foreign]);
    const items = [
      { poRef: approved.toLowerCase(), action: 'APPROVE', comment: 'fine', version: 2 },
      ...refused,
      { poRef: rejected, action: 'REJECT' },
    ];
    const { status, headers, body } = await world
      .as('buyer')
      .post<TransitionsResult>('/purchase-orders/transitions', { items });
    expect([status, headers.get('content-language'), headers.get('idempotency-replayed')]).toEqual([200, 'en', null]);
    expect(summaryOf(body)).toEqual([
      [approved, 200, null],
      [stale, 412, 'VERSION_MISMATCH'],
      [open, 409, 'TRANSITION_NOT_ALLOWED'],
      [UNKNOWN, 404, 'PO_NOT_FOUND'],
      ['not a/number', 404, 'PO_NOT_FOUND'],
      [foreign, 403, 'ROLE_NOT_ALLOWED'],
      [rejected, 200, null],
    ]);
    expect([body.succeeded, body.failed]).toEqual([2, 5]);
    const [entry] = await historyOf(world.as('buyer'), approved);
    expect(body.results[0]).toEqual({
      poRef: approved,
      status: 200,
      success: true,
      newStatusId: 300,
      newStatus: 'Confirmed',
      newStatusZh: '已确认',
      version: 3,
      historyId: entry?.id,
      autoApproved: false,
      problem: null,
    });
    expect(entry).toMatchObject({ action: 'APPROVE', comment: 'fine' });
    for (const item of refused) {
      const result = body.results.find(({ poRef }) => poRef === item.poRef) as TransitionOutcome;
      const { status: ofItem, problem, ...rest } = result;
      expect({ status: ofItem, problem: { ...problem, requestId: '' } }).toEqual(await single('buyer', item));
      expect(rest).toEqual({
        poRef: item.poRef,
        success: false,
        newStatusId: null,
        newStatus: null,
        newStatusZh: null,
        version: null,
        historyId: null,
        autoApproved: null,
      });
    }
    expect(await footprints([stale, open, foreign])).toEqual(before);
  });
});
