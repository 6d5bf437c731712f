import type { StreamEvents } from '@po/contracts';
import { eventText } from './server-sent-events.js';

/** A newer version of an order, and the order's vendor. */
export interface NewerOrder {
  order: StreamEvents['po-changed'];
  vendorCode: string;
}

/** The event about one order. */
export interface OrderChange {
  poRef: string;
  text: string;
}

/** Changed orders that one audience may see; all its clients get the same bytes. */
export interface ChangedOrders {
  changes: readonly OrderChange[];
  text: Buffer;
}

interface Listener {
  changed(orders: ChangedOrders): void;
}

/** Sends each client the changed orders of its vendor scope. */
export class OrderAudiences {
  /** By vendor scope; null: the orders of every vendor. */
  private readonly audiences = new Map<string | null, Set<Listener>>();

  add(vendorCode: string | null, listener: Listener): void {
    const audience = this.audiences.get(vendorCode);
    if (audience) audience.add(listener);
    else this.audiences.set(vendorCode, new Set([listener]));
  }

  remove(vendorCode: string | null, listener: Listener): void {
    const audience = this.audiences.get(vendorCode);
    if (audience?.delete(listener) && audience.size === 0) this.audiences.delete(vendorCode);
  }

  /** Sends the newest version of each order only. */
  notify(newer: readonly NewerOrder[]): void {
    if (this.audiences.size === 0) return;
    const newest = new Map<string, NewerOrder>();
    for (const one of newer) {
      if (one.order.version >= (newest.get(one.order.poRef)?.order.version ?? 0)) newest.set(one.order.poRef, one);
    }
    const all = [...newest.values()];
    this.notifyAudience(null, all);
    for (const [vendorCode, theirs] of Map.groupBy(all, (one) => one.vendorCode))
      this.notifyAudience(vendorCode, theirs);
  }

  private notifyAudience(vendorCode: string | null, newer: readonly NewerOrder[]): void {
    const audience = this.audiences.get(vendorCode);
    if (!audience) return;
    const changes = newer.map(({ order }) => ({ poRef: order.poRef, text: eventText('po-changed', order) }));
    const orders = { changes, text: Buffer.from(changes.map(({ text }) => text).join('')) };
    for (const listener of audience) listener.changed(orders);
  }
}
