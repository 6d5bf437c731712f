import type { StreamEvents } from '@po/contracts';
import { eventText } from './server-sent-events.js';

/** A newer version of an order, and of which vendor it is. */
export interface NewerOrder {
  order: StreamEvents['po-changed'];
  vendorCode: string;
}

/** What a client is told of one order. */
export interface OrderChange {
  poRef: string;
  text: string;
}

/** What one client may know of what changed; the same bytes for all that may know the same. */
export interface ChangedOrders {
  changes: readonly OrderChange[];
  text: Buffer;
}

interface Listener {
  changed(orders: ChangedOrders): void;
}

/** Tells clients of the orders that they may see, by vendor. */
export class OrderAudiences {
  /** By the vendor code that they are bound to; null: every vendor's orders. */
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

  /** Of each order the newest version alone. */
  tell(newer: readonly NewerOrder[]): void {
    if (this.audiences.size === 0) return;
    const newest = new Map<string, NewerOrder>();
    for (const one of newer) {
      if (one.order.version >= (newest.get(one.order.poRef)?.order.version ?? 0)) newest.set(one.order.poRef, one);
    }
    const all = [...newest.values()];
    this.tellAudience(null, all);
    for (const [vendorCode, theirs] of Map.groupBy(all, (one) => one.vendorCode)) this.tellAudience(vendorCode, theirs);
  }

  private tellAudience(vendorCode: string | null, newer: readonly NewerOrder[]): void {
    const audience = this.audiences.get(vendorCode);
    if (!audience) return;
    const changes = newer.map(({ order }) => ({ poRef: order.poRef, text: eventText('po-changed', order) }));
    const orders = { changes, text: Buffer.from(changes.map(({ text }) => text).join('')) };
    for (const listener of audience) listener.changed(orders);
  }
}
