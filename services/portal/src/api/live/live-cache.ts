import type { StreamEvent } from '@po/client';
import {
  type InfiniteData,
  type InvalidateQueryFilters,
  type Query,
  type QueryClient,
  focusManager,
} from '@tanstack/react-query';
import { KEYS } from '../keys.js';
import type { Queries } from '../queries.js';
import type { Notification, OrderList } from '../schemas.js';

/** Changes within this time are applied together: an import can change a thousand orders at the same time. */
const BATCH_WINDOW_MS = 150;
/** Minimum time between two reads of the empty lists, or of the inbox: a user may send a few hundred requests a minute. */
const PAUSE_MS = 1000;
/** The same for the dashboard, which sends five requests in each tab. */
const DASHBOARD_PAUSE_MS = 5000;
/** A larger batch reads no single orders, as that would use up the user's read limit. The shown list is then read again as a whole. */
const MAX_SINGLE_READS = 20;

/** Applies live events to the query cache. */
export class LiveCache {
  /** Newest version by order, of the changes that are not yet applied. */
  private readonly changed = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly dashboard = new Throttle(DASHBOARD_PAUSE_MS, () =>
    this.refreshIfShown({ queryKey: KEYS.dashboard }),
  );
  private readonly emptyLists = new Throttle(PAUSE_MS, () => this.refreshEmptyLists());
  private readonly inbox = new Throttle(PAUSE_MS, () => this.refresh({ queryKey: KEYS.allNotifications }));
  /** Number of new notifications since the last unread count. */
  private uncounted = 0;

  constructor(
    private readonly cache: QueryClient,
    private readonly queries: Queries,
  ) {}

  take(event: StreamEvent): void {
    switch (event.event) {
      case 'unread':
        // Notifications were read elsewhere; the event does not say which.
        if (event.data.unread !== (this.cache.getQueryData<number>(KEYS.unread) ?? 0) + this.uncounted)
          this.inbox.run();
        this.uncounted = 0;
        // An answer in flight was counted before this event.
        void this.cache.cancelQueries({ queryKey: KEYS.unread });
        this.cache.setQueryData(KEYS.unread, event.data.unread);
        return;
      case 'notification':
        this.addToInbox(event.data);
        return;
      case 'po-changed':
        this.changed.set(event.data.poRef, Math.max(event.data.version, this.changed.get(event.data.poRef) ?? 0));
        this.timer ??= setTimeout(() => this.takeChanges(), BATCH_WINDOW_MS);
        return;
      case 'message-posted':
        void this.refresh({ queryKey: KEYS.messages(event.data.poRef) });
        return;
      case 'reset':
        this.refreshAll();
        return;
    }
  }

  /** Refreshes every query: shown ones now, others when they are shown. Lists with rows are only marked, so that their rows stay in place. */
  refreshAll(): void {
    void this.refresh({ predicate: (query) => query.queryKey[0] !== KEYS.lists[0] || !rowsIn(query) });
    this.markLists();
  }

  /**
   * Refreshes what was read before the stream opened, because changes until then sent no event. Lists with rows are only marked; their pages
   * check them for updates.
   */
  refreshEarlierReads(): void {
    for (const queryKey of [KEYS.everyOrder, KEYS.everyConversation, KEYS.allNotifications, KEYS.dashboard])
      void this.refresh({ queryKey });
    void this.refreshEmptyLists();
    this.markLists();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.dashboard.stop();
    this.emptyLists.stop();
    this.inbox.stop();
  }

  /**
   * Also repeats first reads that are in flight, once they have completed: TanStack Query does not restart them, and their answer may be
   * older than the event.
   */
  private refresh(filters: InvalidateQueryFilters): Promise<void> {
    for (const { state, promise, queryKey } of this.cache
      .getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' }))
      if (state.data === undefined) {
        const again = () => this.cache.invalidateQueries({ ...filters, queryKey, exact: true });
        promise?.then(again, () => undefined);
      }
    return this.cache.invalidateQueries(filters);
  }

  /** In a hidden page only marks: TanStack Query reads what is stale when the page is shown. */
  private refreshIfShown(filters: InvalidateQueryFilters): Promise<void> {
    return this.refresh({ ...filters, refetchType: focusManager.isFocused() ? 'active' : 'none' });
  }

  private takeChanges(): void {
    this.timer = undefined;
    const changed = [...this.changed];
    this.changed.clear();
    const newer = changed.filter(([poRef, version]) => !this.isKnown(poRef, version));
    // A list in a hidden page checks its rows when it is shown.
    const readsRows = focusManager.isFocused() && newer.length <= MAX_SINGLE_READS;
    for (const [poRef, version] of newer) {
      if (readsRows && this.rowsOf(poRef).length > 0) void this.refreshRow(poRef, version);
      else void this.refresh({ queryKey: KEYS.orderAll(poRef) });
    }
    this.markLists();
    this.dashboard.run();
    this.emptyLists.run();
  }

  /** Shows a new notification without a read, because a shown inbox can have many pages. One that is not shown is only marked as stale. */
  private addToInbox(notification: Notification): void {
    this.uncounted += 1;
    const shown = { queryKey: KEYS.allNotifications, type: 'active' } as const;
    const queries = this.cache.getQueryCache().findAll(shown);
    // An answer in flight may lack the new notification, and after a failed read the inbox may lack others.
    if (queries.some(({ state }) => state.fetchStatus !== 'idle' || state.isInvalidated)) this.inbox.run();
    this.cache.setQueriesData<InfiniteData<Notification[]>>(
      shown,
      (inbox) =>
        inbox && { ...inbox, pages: inbox.pages.map((page, at) => (at === 0 ? [notification, ...page] : page)) },
    );
    void this.refresh({ queryKey: KEYS.allNotifications, type: 'inactive', refetchType: 'none' });
  }

  /** An empty list has no rows that could move, and nothing that announces its first order. */
  private refreshEmptyLists(): Promise<void> {
    return this.refreshIfShown({ queryKey: KEYS.lists, predicate: (query) => rowsIn(query) === 0 });
  }

  /** For example this tab's own change, whose answer came first. Cached lines or differences from before it are still outdated. */
  private isKnown(poRef: string, version: number): boolean {
    const { order, lines, diff } = KEYS;
    const [detail, ...parts] = [order, lines, diff].map((key) =>
      this.cache.getQueryData<{ version: number }>(key(poRef)),
    );
    const known = [...parts, ...this.rowsOf(poRef)];
    return (detail?.version ?? 0) >= version && known.every((one) => !one || one.version >= version);
  }

  /** The order's rows in lists that are shown. Other lists are read again when they are shown. */
  private rowsOf(poRef: string) {
    return this.cache
      .getQueriesData<OrderList>({ queryKey: KEYS.lists, type: 'active' })
      .flatMap(([, list]) => list?.data.filter((row) => row.poRef === poRef) ?? []);
  }

  /** Marks lists as stale without reading them: rows must not appear, vanish or move while the user looks at them. */
  private markLists(): void {
    void this.refresh({ queryKey: KEYS.lists, refetchType: 'none' });
  }

  /** Reads the order and updates its rows in place. The row of an order that is gone stays until the list is read again. */
  private async refreshRow(poRef: string, version: number): Promise<void> {
    await this.refresh({ queryKey: KEYS.orderAll(poRef) });
    const order = await this.cache.fetchQuery(this.queries.order(poRef)).catch(() => null);
    if (!order || order.version < version) return;
    this.cache.setQueriesData<OrderList>(
      { queryKey: KEYS.lists },
      (list) => list && { ...list, data: list.data.map((row) => (row.poRef === poRef ? { ...row, ...order } : row)) },
    );
    // Writing one row makes TanStack Query treat the whole list as fresh.
    this.markLists();
  }
}

/**
 * Calls `act` soon after `run`, but not before `pauseMs` after its last call, nor before that call's reads have ended: on a slow line, each
 * read would abort the one before.
 */
class Throttle {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private actedAt = Number.NEGATIVE_INFINITY;
  private reads: Promise<void> = Promise.resolve();

  constructor(
    private readonly pauseMs: number,
    private readonly act: () => Promise<void>,
  ) {}

  run(): void {
    this.timer ??= setTimeout(
      () => void this.reads.then(() => this.actNow()),
      this.actedAt + this.pauseMs - performance.now(),
    );
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private actNow(): void {
    if (this.timer === undefined) return;
    this.timer = undefined;
    this.actedAt = performance.now();
    this.reads = this.act();
  }
}

/** Number of rows in a list; undefined if it is not loaded. */
const rowsIn = ({ state }: Query): number | undefined => (state.data as OrderList | undefined)?.data.length;
