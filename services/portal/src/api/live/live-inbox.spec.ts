import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createClient } from '@po/client';
import { eventually } from '@po/testing/eventually';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { KEYS } from '../keys.js';
import { type Queries, queriesOf } from '../queries.js';
import type { Notification } from '../schemas.js';
import { LiveCache } from './live-cache.js';

const unread = (count: number) => ({ event: 'unread', data: { unread: count } }) as const;
const notified = (id: string) => ({ event: 'notification', id, data: { id } as Notification }) as const;
const KEY = KEYS.notifications('all');

describe('the live inbox', () => {
  let cache: QueryClient;
  let queries: Queries;
  let live: LiveCache;
  /** Requested pages, by the notification before which they start. */
  let reads: string[];
  beforeEach(() => {
    reads = [];
    const client = createClient({
      baseUrl: 'http://x/api',
      token: 't',
      fetch: ({ url }) => {
        const before = new URL(url).searchParams.get('before') ?? 'now';
        reads.push(before);
        return Promise.resolve(Response.json(Array.from({ length: 50 }, (_, at) => ({ id: `${before}-${at}` }))));
      },
    });
    queries = queriesOf(client);
    cache = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
    live = new LiveCache(cache, queries);
    cache.setQueryData(KEYS.unread, 4);
  });
  afterEach(() => {
    jest.useRealTimers();
    live.stop();
    cache.clear();
  });
  const isStale = () => cache.getQueryState(KEY)?.isInvalidated;

  it('is read again after notifications were read elsewhere, but not after changes by this page', async () => {
    cache.setQueryData(KEY, { pages: [], pageParams: [] });
    live.take(unread(4));
    expect(isStale()).toBe(false);
    live.take(unread(3));
    await eventually('the inbox is marked', () => isStale() === true);
  });

  describe('of which three pages are shown', () => {
    let leave: () => void;
    beforeEach(async () => {
      const inbox = new InfiniteQueryObserver(cache, queries.notifications());
      leave = inbox.subscribe(() => undefined);
      await eventually('the first page is read', () => inbox.getCurrentResult().isSuccess);
      for (let page = 0; page < 2; page += 1) await inbox.fetchNextPage();
      reads = [];
    });
    afterEach(() => leave());
    const timesRead = () => reads.filter((before) => before === 'now').length;

    it('shows new notifications without a read', async () => {
      jest.useFakeTimers();
      for (let count = 1; count <= 10; count += 1) {
        live.take(notified(`new-${count}`));
        // The server counts several notifications together.
        if (count % 2 === 0) live.take(unread(4 + count));
        await jest.advanceTimersByTimeAsync(500);
      }
      const newest = cache.getQueryData<{ pages: Notification[][] }>(KEY)?.pages[0]?.slice(0, 3);
      expect(newest?.map(({ id }) => id)).toEqual(['new-10', 'new-9', 'new-8']);
      expect([reads, cache.getQueryData(KEYS.unread)]).toEqual([[], 14]);
    });

    it('is marked as stale by a new notification after it was left, and not read', () => {
      leave();
      live.take(notified('new'));
      expect([isStale(), cache.isFetching()]).toEqual([true, 0]);
    });

    it('is read at most once a second while notifications are read elsewhere', async () => {
      jest.useFakeTimers();
      for (let count = 1; count <= 10; count += 1) {
        live.take(unread(20 - count));
        await jest.advanceTimersByTimeAsync(100);
      }
      await jest.advanceTimersByTimeAsync(5000);
      expect(timesRead()).toBe(2);
    });

    it('is read once more if an answer in flight may lack a new notification', async () => {
      void cache.invalidateQueries({ queryKey: KEY });
      live.take(notified('new'));
      await eventually('the inbox is read again', () => timesRead() === 2);
    });
  });
});
