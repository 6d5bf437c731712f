import type { Action } from '@po/contracts';
import { TRANSITIONS } from '../../services/purchase-orders/src/domain/workflow.js';
import { rowHashOf } from '../../services/purchase-orders/src/inventory/row-hash.js';
import type { Attempts } from './attempts.js';
import type { Call } from './http.js';
import type { OperationKind, Outcome } from './operation-log.js';
import { type Order, newSnapshot } from './orders.js';
import type { Random } from './random.js';
import { READERS, USERS, USER_NAMES, type UserName, usersOf } from './users.js';
import type { World } from './world.js';

/** Probability of each kind of operation in percent; all others are transitions. */
const SHARES: readonly [
  kind: 'illegal' | 'batch' | 'header' | 'lines' | 'message' | 'read' | 'mark-read' | 'source' | 'import',
  percent: number,
][] = [
  ['illegal', 6],
  ['batch', 6],
  ['header', 12],
  ['lines', 10],
  ['message', 8],
  ['read', 12],
  ['mark-read', 4],
  ['source', 5],
  ['import', 4],
];
const INTERNAL = ['buyer', 'buyer2', 'admin'] as const satisfies UserName[];
const BATCH: readonly [number, number] = [2, 5];
/** Makes cancellations rarer than other actions, because they end the life of an order. */
const CANCEL_CHANCE = 0.08;
const SOURCE_CANCEL_CHANCE = 0.1;
/** Few, so that operations compete for the same order. */
const OPEN_ORDERS = 24;

/** Draws random operations: the workflow allows most of them and must refuse some. */
export class WorkloadMix {
  constructor(
    private readonly world: World,
    private readonly options: { scenario: string; random: Random; attempts: Attempts },
  ) {}

  /** Runs one random operation. */
  next(): Promise<Outcome> {
    const { random } = this.options;
    const order = this.openOrder();
    if (!order) return this.import();
    const left = { percent: random.int(0, 99) };
    const kind = SHARES.find(([, percent]) => (left.percent -= percent) < 0)?.[0];
    switch (kind) {
      case 'import':
        return this.import();
      case 'source':
        return this.sourceUpdate(order);
      case 'header':
        return this.header(order);
      case 'lines':
        return this.lines(order);
      case 'message':
        return this.message(order);
      case 'read':
        return this.read(order);
      case 'mark-read':
        return this.markRead();
      case 'illegal':
        return this.transition(order, random.pick(this.world.actions), random.pick(USER_NAMES));
      case 'batch':
        return this.batch(order);
      case undefined:
        return this.legalTransition(order);
      default:
        return kind satisfies never;
    }
  }

  private openOrders(): Order[] {
    return [...this.world.orders.values()].filter(({ statusId }) => statusId < 600).slice(-OPEN_ORDERS);
  }

  private openOrder(): Order | undefined {
    const open = this.openOrders();
    return open.length < OPEN_ORDERS / 2 ? undefined : this.options.random.pick(open);
  }

  private legalTransition(order: Order): Promise<Outcome> {
    const { action, user } = this.legalAction(order);
    return this.transition(order, action, user);
  }

  private legalAction({ statusId, snapshot }: Order, by?: UserName): { action: Action; user: UserName } {
    const { random } = this.options;
    const usersFor = (roles: readonly string[]) =>
      roles.flatMap((role) => usersOf(role, snapshot.vendor.code)).filter((user) => by === undefined || user === by);
    const possible = TRANSITIONS.filter(
      ({ from, action }) => (from as readonly number[]).includes(statusId) && this.world.actions.includes(action),
    );
    const own = possible.filter(({ roles }) => usersFor(roles).length > 0);
    const likely = own.filter(({ action }) => action !== 'CANCEL' || random.chance(CANCEL_CHANCE));
    const { action, roles } = random.pick(likely.length > 0 ? likely : own.length > 0 ? own : possible);
    return { action, user: by ?? random.pick(usersFor(roles)) };
  }

  /** A batch of several orders by one user. An item that the user may not execute is refused alone. */
  private batch(order: Order): Promise<Outcome> {
    const { scenario, random, attempts } = this.options;
    const { action, user } = this.legalAction(order);
    const others = random.shuffled(this.openOrders().filter((other) => other !== order));
    const otherItems = others
      .slice(0, random.int(...BATCH) - 1)
      .map((other) => ({ order: other, ...this.legalAction(other, user) }));
    const items = [{ order, action }, ...otherItems].map(({ order: { snapshot }, action: detail }) => {
      const { poNumber: target } = snapshot;
      const operation = this.world.log.begin({ kind: 'transition', scenario, target, user, detail });
      return { operation, item: { poRef: target, action: detail, comment: operation.mark } };
    });
    const key = `batch-${this.world.seed}-${items[0]?.operation.mark}`;
    return attempts.first(
      items.map(({ operation }) => operation),
      user,
      {
        method: 'POST',
        path: '/purchase-orders/transitions',
        body: { items: items.map(({ item }) => item) },
        headers: random.chance(0.5) ? { 'idempotency-key': key } : {},
      },
    );
  }

  private transition(order: Order, action: Action, user: UserName): Promise<Outcome> {
    return this.write('transition', order, user, action, (mark) => ({
      method: 'POST',
      path: `/purchase-orders/${order.snapshot.poNumber}/transition`,
      body: { action, comment: mark },
    }));
  }

  private header(order: Order): Promise<Outcome> {
    return this.write('header', order, this.vendorOf(order), 'vendor_reply_comment', (mark) => ({
      method: 'PATCH',
      path: `/purchase-orders/${order.snapshot.poNumber}`,
      body: { vendor_reply_comment: mark },
    }));
  }

  private lines(order: Order): Promise<Outcome> {
    const rowHash = rowHashOf(order.snapshot.poNumber, this.options.random.pick(order.snapshot.lines));
    return this.write('lines', order, this.vendorOf(order), 'vendorReplyQty', (mark) => ({
      method: 'PATCH',
      path: `/purchase-orders/${order.snapshot.poNumber}/line-items`,
      body: { lines: [{ rowHash, vendorReplyQty: Number(mark) }] },
    }));
  }

  /** Posts a message to both sides or to internal readers; some messages mention a user. */
  private message(order: Order): Promise<Outcome> {
    const { random } = this.options;
    const { poNumber, vendor } = order.snapshot;
    const isInternal = random.chance(0.5);
    const user = isInternal ? random.pick(INTERNAL) : random.pick(usersOf('VENDOR', vendor.code));
    const mentions = isInternal && random.chance(0.3) ? [USERS[random.pick(INTERNAL)].sub] : [];
    const visibility = isInternal && random.chance(0.5) ? 'internal' : 'all';
    return this.write('message', order, user, visibility, (mark) => ({
      method: 'POST',
      path: `/purchase-orders/${poNumber}/messages`,
      body: { body: mark, visibility, mentions },
    }));
  }

  private write(
    kind: OperationKind,
    order: Order,
    user: UserName,
    detail: string,
    callOf: (mark: string) => Call,
  ): Promise<Outcome> {
    const { scenario, random, attempts } = this.options;
    const operation = this.world.log.begin({ kind, scenario, target: order.snapshot.poNumber, user, detail });
    const call = callOf(operation.mark);
    const headers: Record<string, string> = {};
    if (random.chance(0.5)) headers['idempotency-key'] = `key-${this.world.seed}-${operation.mark}`;
    if (random.chance(0.15) && order.version > 0) headers['if-match'] = `"${order.version}"`;
    return attempts.first(operation, user, { ...call, headers });
  }

  private read(order: Order): Promise<Outcome> {
    const { scenario, random, attempts } = this.options;
    const { poNumber } = order.snapshot;
    const target = random.pick([
      '/purchase-orders?limit=20',
      `/purchase-orders/${poNumber}`,
      `/purchase-orders/${poNumber}/history`,
      '/dashboard/kpis',
      '/dashboard/recent-activity',
      '/notifications?limit=20',
    ]);
    const user = random.pick(USER_NAMES);
    const operation = this.world.log.begin({ kind: 'read', scenario, target, user, detail: 'GET' });
    return attempts.first(operation, user, { method: 'GET', path: target });
  }

  private async markRead(): Promise<Outcome> {
    const { scenario, random, attempts } = this.options;
    const user = random.pick(READERS);
    const inbox = await this.world.call(random.int(0, 1), user, {
      method: 'GET',
      path: '/notifications?limit=20&unread=true',
    });
    const items = inbox instanceof Error || inbox.status !== 200 ? [] : (inbox.body as { id: string }[]);
    const target = items.length === 0 || random.chance(0.1) ? 'all' : random.pick(items).id;
    const operation = this.world.log.begin({ kind: 'mark-read', scenario, target, user, detail: 'PUT' });
    return attempts.first(operation, user, { method: 'PUT', path: `/notifications/${target}/read` });
  }

  private import(): Promise<Outcome> {
    const { world, options } = this;
    const poNumber = `F-${world.seed}-${world.orders.size + 1}`;
    const snapshot = newSnapshot(poNumber, options.random);
    world.orders.set(poNumber, { snapshot, statusId: 100, version: 0 });
    return this.sendSnapshot(snapshot);
  }

  private sourceUpdate(order: Order): Promise<Outcome> {
    const { random } = this.options;
    const { snapshot } = order;
    // Only existing orders: the cancellation of an unknown order is stored, but visible nowhere.
    if (order.version > 0 && random.chance(SOURCE_CANCEL_CHANCE)) return this.sourceCancellation(order);
    const at = random.chance(0.5) ? random.int(0, snapshot.lines.length - 1) : -1;
    const lines = snapshot.lines.map((line, index) => (index === at ? { ...line, qty: random.int(1, 500) } : line));
    order.snapshot = { ...snapshot, lines, sourceRevision: snapshot.sourceRevision + 1 };
    return this.sendSnapshot(order.snapshot);
  }

  private sourceCancellation({ snapshot }: Order): Promise<Outcome> {
    snapshot.sourceRevision += 1;
    const { poNumber, sourceRevision } = snapshot;
    const { inventory } = this.world;
    return inventory.sendLogged(this.options.scenario, 'purchase-order.cancelled', { poNumber, sourceRevision });
  }

  private sendSnapshot(snapshot: Order['snapshot']): Promise<Outcome> {
    return this.world.inventory.sendLogged(this.options.scenario, 'purchase-order.upserted', snapshot);
  }

  private vendorOf({ snapshot }: Order): UserName {
    return this.options.random.pick(usersOf('VENDOR', snapshot.vendor.code));
  }
}
