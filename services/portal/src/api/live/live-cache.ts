import type { StreamEvent } from '@po/client';
import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query';
import { KEYS } from '../keys.js';
import type { Queries } from '../queries.js';
import type { OrderList } from '../schemas.js';

/** Changes that come together are taken together: an import changes a thousand orders at once. */
const BATCH_WINDOW_MS = 150;
/** What is counted is asked for at most this often, however much changes: a user may ask some hundred times a minute. */
const COUNTING_MS = 1000;
/** Above that a batch reads no single orders, which would use up the user's read limit: the list that is shown is read anew by itself. */
const MAX_SINGLE_READS = 20;

/** What the live stream does to what is cached. */
export class LiveCache {
  /** Newest version of each order that changed since it was looked at last. */
  private readonly changed = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private counting: ReturnType<typeof setTimeout> | undefined;
  private countedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly cache: QueryClient,
    private readonly queries: Queries,
  ) {}

  take(event: StreamEvent): void {
    switch (event.event) {
      case 'unread':
        // Read elsewhere: which ones is not told.
        if (event.data.unread !== this.cache.getQueryData(KEYS.unread))
          void this.refresh({ queryKey: KEYS.allNotifications });
        // An answer that is under way was counted before.
        void this.cache.cancelQueries({ queryKey: KEYS.unread });
        this.cache.setQueryData(KEYS.unread, event.data.unread);
        return;
      case 'notification':
        void this.refresh({ queryKey: KEYS.allNotifications });
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
      default:
        return event satisfies never;
    }
  }

  /** Asks anew for everything that is shown; what is not shown when it is shown. Lists that are read ask what changed, and stay. */
  refreshAll(): void {
    const isRead = ({ queryKey: [name], state }: Query) => name === KEYS.lists[0] && state.data !== undefined;
    void this.refresh({ predicate: (query) => !isRead(query) });
    this.markLists();
  }

  /**
   * Asks again for what was asked for before the stream opened: a change until then was not told. Mostly nothing changed, and the
   * browser sends the ETag. Lists are asked for by those who show them.
   */
  refreshAsked(): void {
    for (const queryKey of [KEYS.everyOrder, KEYS.everyConversation, KEYS.allNotifications, KEYS.dashboard])
      void this.refresh({ queryKey });
    this.markLists();
  }

  stop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.counting);
  }

  /**
   * Asks again also for what is asked for the first time just now, once that is there: TanStack Query does not begin anew for it, and the
   * answer may be older than what was told.
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

  private takeChanges(): void {
    this.timer = undefined;
    const changed = [...this.changed];
    this.changed.clear();
    const newer = changed.filter(([poRef, version]) => !this.isKnown(poRef, version));
    for (const [poRef, version] of newer) {
      if (newer.length <= MAX_SINGLE_READS && this.rowsOf(poRef).length > 0) void this.refreshRow(poRef, version);
      else void this.refresh({ queryKey: KEYS.orderAll(poRef) });
    }
    this.markLists();
    this.counting ??= setTimeout(() => this.count(), this.countedAt + COUNTING_MS - performance.now());
  }

  private count(): void {
    this.counting = undefined;
    this.countedAt = performance.now();
    void this.refresh({ queryKey: KEYS.dashboard });
  }

  /** Such as this tab's own change, whose answer came first. Lines or a difference that were read before it are not of that version. */
  private isKnown(poRef: string, version: number): boolean {
    const { order, lines, diff } = KEYS;
    const [detail, ...parts] = [order, lines, diff].map((key) =>
      this.cache.getQueryData<{ version: number }>(key(poRef)),
    );
    const known = [...parts, ...this.rowsOf(poRef)];
    return (detail?.version ?? 0) >= version && known.every((one) => !one || one.version >= version);
  }

  /** In lists that are shown. The others are read again when they are. */
  private rowsOf(poRef: string) {
    return this.cache
      .getQueriesData<OrderList>({ queryKey: KEYS.lists, type: 'active' })
      .flatMap(([, list]) => list?.data.filter((row) => row.poRef === poRef) ?? []);
  }

  /** Which orders are on a page, and in which order, changes when it is asked for again, and not under somebody's eyes. */
  private markLists(): void {
    void this.refresh({ queryKey: KEYS.lists, refetchType: 'none' });
  }

  /** Reads the order and puts it where it stands in lists. An order that is no longer there stays until the list is asked for. */
  private async refreshRow(poRef: string, version: number): Promise<void> {
    await this.refresh({ queryKey: KEYS.orderAll(poRef) });
    const order = await this.cache.fetchQuery(this.queries.order(poRef)).catch(() => null);
    if (!order || order.version < version) return;
    this.cache.setQueriesData<OrderList>(
      { queryKey: KEYS.lists },
      (list) => list && { ...list, data: list.data.map((row) => (row.poRef === poRef ? { ...row, ...order } : row)) },
    );
    // What is written into a list counts as all of it being new.
    this.markLists();
  }
}
