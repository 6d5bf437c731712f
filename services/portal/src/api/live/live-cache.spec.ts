import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createClient } from '@po/client';
import { QueryClient, QueryObserver, focusManager } from '@tanstack/react-query';
import { eventually } from '@po/testing/eventually';
import { KEYS } from '../keys.js';
import { queriesOf } from '../queries.js';
import type { OrderDetail, OrderList } from '../schemas.js';
import { LiveCache } from './live-cache.js';

const LIST = { status: ['New'] };
const changed = (poRef: string, version: number) =>
  ({ event: 'po-changed', data: { poRef, version, statusId: 200 } }) as const;

describe('the live cache', () => {
  let cache: QueryClient;
  let live: LiveCache;
  /** Current order versions in the API. */
  let versions: Record<string, number>;
  let requested: string[];
  let leaveList: () => void;
  beforeEach(() => {
    versions = { 'PO-1': 1, 'PO-2': 1, 'PO-3': 1 };
    requested = [];
    answers.clear();
    const client = createClient({
      baseUrl: 'http://x/api',
      token: 't',
      retry: { attempts: 1 },
      fetch: ({ url }) => {
        requested.push(new URL(url).pathname.replace('/api', ''));
        const poRef = /purchase-orders\/([^/]+)$/.exec(url)?.[1] ?? '';
        const version = versions[poRef];
        const body = version === undefined ? {} : { poRef, version, status: `v${version}` };
        return Promise.resolve(Response.json(body, { status: version === undefined && poRef ? 404 : 200 }));
      },
    });
    cache = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
    live = new LiveCache(cache, queriesOf(client));
    const rows = ['PO-1', 'PO-2'].map((poRef) => ({ poRef, version: 1, status: 'v1' }));
    cache.setQueryData(KEYS.list(LIST), { data: rows, pagination: { total: 2 } } as unknown as OrderList);
    leaveList = new QueryObserver(cache, queriesOf(client).orders(LIST)).subscribe(() => undefined);
  });
  afterEach(() => {
    jest.useRealTimers();
    focusManager.setFocused(undefined);
    leaveList();
    live.stop();
    cache.clear();
  });
  const order = KEYS.order('PO-3');
  /** Resolves a pending request, by query key. */
  const answers = new Map<string, () => void>();
  const answer = (key: readonly string[]) => answers.get(String(key))?.();
  /** Observes a query whose answers are these values, in order. */
  const watch = (queryKey: readonly string[], values: number[]) =>
    new QueryObserver(cache, {
      queryKey,
      queryFn: () => {
        const value = values.shift();
        return new Promise((resolve) => answers.set(String(queryKey), () => resolve(value)));
      },
    }).subscribe(() => undefined);
  const rows = () =>
    cache.getQueryData<OrderList>(KEYS.list(LIST))?.data.map(({ poRef, version, status }) => [poRef, version, status]);

  it('updates a row in place with one request for several changes, and leaves other rows alone', async () => {
    versions['PO-2'] = 3;
    for (const version of [2, 3]) live.take(changed('PO-2', version));
    await eventually('the row is updated', () => rows()?.[1]?.[1] === 3);
    expect(rows()).toEqual([
      ['PO-1', 1, 'v1'],
      ['PO-2', 3, 'v3'],
    ]);
    expect(requested).toEqual(['/purchase-orders/PO-2']);
    expect(cache.getQueryState(KEYS.list(LIST))?.isInvalidated).toBe(true);
  });

  it('marks a list as stale, but does not read it while it is shown', async () => {
    live.take(changed('PO-3', 2));
    await eventually('the list is marked', () => cache.getQueryState(KEYS.list(LIST))?.isInvalidated === true);
    expect(requested).toEqual([]);
  });

  it('reads an open order and the dashboard again', async () => {
    const watch = (key: readonly unknown[], path: string) =>
      new QueryObserver(cache, {
        queryKey: key,
        queryFn: () => {
          requested.push(path);
          return path;
        },
        initialData: path,
      }).subscribe(() => undefined);
    const stops = [watch(KEYS.history('PO-3'), 'history'), watch(KEYS.kpis, 'kpis')];
    live.take(changed('PO-3', 2));
    await eventually('both were requested', () => requested.length === 2);
    expect(requested.toSorted()).toEqual(['history', 'kpis']);
    for (const stop of stops) stop();
  });

  it('refreshes the dashboard and empty lists at once, and then at most every five seconds and every second', async () => {
    jest.useFakeTimers();
    const reads = { dashboard: -1, list: -1 };
    const options = [
      { queryKey: KEYS.kpis, queryFn: () => (reads.dashboard += 1) },
      { queryKey: KEYS.list({ search: 'PO-9' }), queryFn: () => ({ data: [], read: (reads.list += 1) }) },
    ];
    const stops = options.map((option) => new QueryObserver<unknown>(cache, option).subscribe(() => undefined));
    const passing = async (ms: number) => {
      await jest.advanceTimersByTimeAsync(ms);
      return [reads.dashboard, reads.list];
    };
    expect(await passing(200)).toEqual([0, 0]);
    live.take(changed('PO-3', 2));
    expect(await passing(200)).toEqual([1, 1]);
    for (const version of [3, 4]) {
      live.take(changed('PO-3', version));
      expect(await passing(200)).toEqual([1, 1]);
    }
    expect(await passing(1000)).toEqual([1, 2]);
    expect(await passing(3000)).toEqual([1, 2]);
    expect(await passing(1000)).toEqual([2, 2]);
    live.take(changed('PO-3', 5));
    expect(await passing(5200)).toEqual([3, 3]);
    expect(await passing(10_000)).toEqual([3, 3]);
    for (const stop of stops) stop();
  });

  it('does not abort reads of the dashboard that take long: the next ones wait for them', async () => {
    jest.useFakeTimers();
    const counts = [1, 2, 3];
    const stop = watch(KEYS.kpis, counts);
    answer(KEYS.kpis);
    for (const version of [2, 3]) {
      await jest.advanceTimersByTimeAsync(10_000);
      live.take(changed('PO-3', version));
    }
    await jest.advanceTimersByTimeAsync(10_000);
    expect(counts).toEqual([3]);
    answer(KEYS.kpis);
    await jest.advanceTimersByTimeAsync(0);
    expect([cache.getQueryData(KEYS.kpis), counts]).toEqual([2, []]);
    stop();
  });

  it.each([
    ['the dashboard', KEYS.kpis],
    ['an empty list', KEYS.list({ search: 'PO-9' })],
  ] as const)('reads %s of a hidden page only when the page is shown', async (_what, queryKey) => {
    leaveList();
    cache.mount();
    let reads = 0;
    const queryFn = () => ({ data: [], read: (reads += 1) });
    const stop = new QueryObserver<unknown>(cache, { queryKey, queryFn }).subscribe(() => undefined);
    await eventually('it is read', () => cache.getQueryState(queryKey)?.status === 'success');
    focusManager.setFocused(false);
    live.take(changed('PO-3', 2));
    await eventually('it is marked', () => cache.getQueryState(queryKey)?.isInvalidated === true);
    expect([cache.isFetching(), reads]).toEqual([0, 1]);
    focusManager.setFocused(true);
    await eventually('it is read again', () => reads > 1);
    cache.unmount();
    stop();
  });

  it.each([
    ['an order changes', () => live.take(changed('PO-9', 1))],
    ['the stream opens', () => live.refreshEarlierReads()],
    ['events were missed', () => live.refreshAll()],
  ] as const)('reads a shown empty list when %s, because no row of it could move', async (_when, happens) => {
    const pages = [[], ['PO-9']];
    const queryKey = KEYS.list({ search: 'PO-9' });
    const queryFn = () => ({ data: pages.shift()?.map((poRef) => ({ poRef, version: 1 })) });
    const stop = new QueryObserver(cache, { queryKey, queryFn }).subscribe(() => undefined);
    const loaded = () => cache.getQueryData<OrderList>(queryKey)?.data.length;
    await eventually('the list is empty', () => loaded() === 0);
    happens();
    await eventually('the new order is in the list', () => loaded() === 1);
    expect(requested).toEqual([]);
    stop();
  });

  it("ignores a version that is already cached, such as this page's own change", async () => {
    cache.setQueryData(KEYS.order('PO-3'), { poRef: 'PO-3', version: 2 } as OrderDetail);
    live.take(changed('PO-3', 2));
    live.take(changed('PO-1', 2));
    versions['PO-1'] = 2;
    await eventually('the other row is updated', () => rows()?.[0]?.[1] === 2);
    expect(cache.getQueryState(KEYS.order('PO-3'))?.isInvalidated).toBe(false);
    expect(requested).toEqual(['/purchase-orders/PO-1']);
  });

  it.each([KEYS.lines, KEYS.diff])(
    'reads an order again if its lines or differences are older than its head: %#',
    async (key) => {
      const watch = (queryKey: readonly string[], version: number) =>
        new QueryObserver(cache, {
          queryKey,
          queryFn: () => {
            requested.push(String(queryKey.at(-1)));
            return { version: 2 };
          },
          initialData: { version },
        }).subscribe(() => undefined);
      const stops = [watch(KEYS.order('PO-3'), 2), watch(key('PO-3'), 1)];
      live.take(changed('PO-3', 2));
      await eventually('both queries were read', () => requested.length === 2);
      expect(cache.getQueryData(key('PO-3'))).toEqual({ version: 2 });
      for (const stop of stops) stop();
    },
  );

  it.each([
    ['that is not shown', () => leaveList()],
    ['in a hidden page', () => focusManager.setFocused(false)],
  ] as const)('reads no single order for a list %s', async (_where, hide) => {
    hide();
    live.take(changed('PO-1', 2));
    await eventually('the list is marked', () => cache.getQueryState(KEYS.list(LIST))?.isInvalidated === true);
    expect(requested).toEqual([]);
  });

  it('reads no single orders if many change at the same time', async () => {
    cache.setQueryData(KEYS.order('PO-2'), { poRef: 'PO-2', version: 1 } as OrderDetail);
    for (let order = 1; order <= 21; order += 1) live.take(changed(`PO-${order}`, 2));
    await eventually('the list is marked', () => cache.getQueryState(KEYS.list(LIST))?.isInvalidated === true);
    expect(cache.getQueryState(KEYS.order('PO-2'))?.isInvalidated).toBe(true);
    expect(requested).toEqual([]);
  });

  it('keeps the row of an order that the user can no longer see', async () => {
    delete versions['PO-1'];
    live.take(changed('PO-1', 2));
    await eventually('the order was requested', () => requested.length === 1);
    await eventually('nothing is under way', () => cache.isFetching() === 0);
    expect(rows()?.[0]).toEqual(['PO-1', 1, 'v1']);
  });

  it('repeats a first read that was in flight when the stream opened', async () => {
    const orders = [1, 2];
    const stop = watch(order, orders);
    await eventually('the order is requested', () => answers.size === 1);
    live.refreshEarlierReads();
    answer(order);
    await eventually('the order is requested again', () => orders.length === 0);
    answer(order);
    await eventually('the newer version is cached', () => cache.getQueryData(order) === 2);
    stop();
  });

  it('does not let an answer that was in flight overwrite a later live event', async () => {
    const [counts, orders] = [[0], [1, 2]];
    const stops = [watch(KEYS.unread, counts), watch(order, orders)];
    await eventually('both are requested', () => answers.size === 2);
    live.take({ event: 'unread', data: { unread: 1 } });
    live.take(changed('PO-3', 2));
    await eventually('the change is applied', () => cache.getQueryState(KEYS.list(LIST))?.isInvalidated === true);
    answer(KEYS.unread);
    answer(order);
    await eventually('the changed order is requested again', () => orders.length === 0);
    answer(order);
    await eventually('nothing is under way', () => cache.isFetching() === 0);
    expect([cache.getQueryData(KEYS.unread), cache.getQueryData(order)]).toEqual([1, 2]);
    for (const stop of stops) stop();
  });

  it('refreshes only the messages of an order that has a new message', () => {
    const isStale = (key: readonly unknown[]) => cache.getQueryState(key)?.isInvalidated;
    for (const key of [KEYS.messages('PO-1'), KEYS.messages('PO-2'), KEYS.history('PO-1')]) cache.setQueryData(key, []);
    live.take({ event: 'message-posted', data: { poRef: 'PO-1', messageId: 'm' } });
    expect([KEYS.messages('PO-1'), KEYS.messages('PO-2'), KEYS.history('PO-1')].map(isStale)).toEqual([
      true,
      false,
      false,
    ]);
    expect(requested).toEqual([]);
  });

  it('after missed events, keeps a loaded list and reads a list that failed to load', async () => {
    const client = createClient({ baseUrl: 'http://x/api', token: 't', retry: { attempts: 1 }, fetch: failing });
    const stops = [LIST, { page: 9 }].map((query) =>
      new QueryObserver(cache, queriesOf(client).orders(query)).subscribe(() => undefined),
    );
    await eventually('the other list failed', () => cache.getQueryState(KEYS.list({ page: 9 }))?.status === 'error');
    requested = [];
    live.refreshAll();
    await eventually('nothing is under way', () => cache.isFetching() === 0);
    expect(requested).toEqual(['?page=9']);
    for (const stop of stops) stop();
  });

  function failing({ url }: Request): Promise<Response> {
    requested.push(new URL(url).search);
    return Promise.resolve(Response.json({}, { status: 404 }));
  }
});
