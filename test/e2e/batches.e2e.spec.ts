import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { TransitionOutcome, TransitionsResult } from '@po/contracts';
import type { DemoUser } from '../support/stack.js';
import { act, detailOf, footprint, historyOf, openWorld } from './world.js';

const PATH = '/purchase-orders/transitions';
const UNKNOWN = 'E2E-UNKNOWN';

interface Item {
  poRef: string;
  action: string;
  comment?: string;
  version?: number;
}

describe('a batch of transitions', () => {
  const world = openWorld();

  const post = (user: DemoUser, items: unknown, key?: string) =>
    world
      .as(user)
      .post<TransitionsResult & { code?: string; errors?: { pointer: string }[] }>(
        PATH,
        { items },
        key === undefined ? {} : { 'idempotency-key': key },
      );
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
    const { status, headers, body } = await post('buyer', [
      { poRef: approved.toLowerCase(), action: 'APPROVE', comment: 'fine', version: 2 },
      ...refused,
      { poRef: rejected, action: 'REJECT' },
    ]);
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

  it('with a repeated key replays executed items, retries refused ones, and refuses another body', async () => {
    const [first, second] = [await submitted(), await imported()];
    const key = `batch-${randomUUID()}`;
    const items = [first, second].map((poRef) => ({ poRef, action: 'APPROVE' }));
    const once = await post('buyer', items, key);
    expect(summaryOf(once.body)).toEqual([
      [first, 200, null],
      [second, 409, 'TRANSITION_NOT_ALLOWED'],
    ]);
    const before = await footprints([first, second]);
    const other = await post('buyer', items.toReversed(), key);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await footprints([first, second])).toEqual(before);
    await act(world.as('vendor:ACME'), second, 'SUBMIT');
    const again = await post('buyer', items, key);
    expect(again.body.results[0]).toEqual(once.body.results[0]);
    expect([summaryOf(again.body)[1], again.headers.get('idempotency-replayed')]).toEqual([[second, 200, null], null]);
    // The replay does not depend on later changes of the orders.
    await act(world.as('buyer'), first, 'CANCEL');
    const repeated = await post('buyer', items, key);
    expect([repeated.body, repeated.headers.get('idempotency-replayed')]).toEqual([again.body, 'true']);
    for (const poRef of [first, second]) {
      const actions = (await historyOf(world.as('buyer'), poRef)).map(({ action }) => action);
      expect(actions.filter((action) => action === 'APPROVE')).toHaveLength(1);
    }
    // The key of a batch does not apply to single requests.
    const path = `/purchase-orders/${second}/transition`;
    const one = await world.as('buyer').post(path, { action: 'CANCEL' }, { 'idempotency-key': key });
    expect([one.status, one.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  it('moves a hundred orders, and moves each order once if two users send the same batch', async () => {
    const poRefs = await Promise.all(Array.from({ length: 100 }, () => imported()));
    const items = poRefs.map((poRef) => ({ poRef, action: 'SUBMIT' }));
    const answers = await Promise.all([post('vendor:ACME', items), post('vendor:ACME:2', items)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [one, two] = answers.map(({ body }) => summaryOf(body)) as [unknown[][], unknown[][]];
    expect(answers.map(({ body }) => body.succeeded).reduce((sum, count) => sum + count)).toBe(100);
    for (const [index, poRef] of poRefs.entries()) {
      expect([one[index], two[index]]).toContainEqual([poRef, 200, null]);
      expect([one[index], two[index]]).toContainEqual([poRef, 409, 'TRANSITION_NOT_ALLOWED']);
      expect(await detailOf(world.as('buyer'), poRef)).toMatchObject({ statusId: 200, version: 2 });
    }
  });
});
