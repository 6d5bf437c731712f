import type { StreamEvents } from '@po/contracts';
import { eventText } from './server-sent-events.js';

/** A newer version of an order, and the order's vendor. */
export interface NewerOrder {
  order: StreamEvents['po-changed'];
  vendorCode: string;
}

/** A message about an order. */
export interface PostedMessage {
  message: StreamEvents['message-posted'];
  vendorCode: string;
  /** No vendor may know of it. */
  internal: boolean;
}

/** The event about one order; of one key only the last counts. */
export interface OrderChange {
  key: string;
  text: string;
}

/** Changed orders, or messages about them, that one audience may see; all its clients get the same bytes. */
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

  /** Sends that there are messages, internal ones to no vendor. */
  posted(messages: readonly PostedMessage[]): void {
    this.sendTo(null, messages.map(changeOf));
    const forVendors = messages.filter(({ internal }) => !internal);
    for (const [vendorCode, theirs] of Map.groupBy(forVendors, (one) => one.vendorCode))
      this.sendTo(vendorCode, theirs.map(changeOf));
  }

  private notifyAudience(vendorCode: string | null, newer: readonly NewerOrder[]): void {
    this.sendTo(
      vendorCode,
      newer.map(({ order }) => ({ key: order.poRef, text: eventText('po-changed', order) })),
    );
  }

  private sendTo(vendorCode: string | null, changes: readonly OrderChange[]): void {
    const audience = this.audiences.get(vendorCode);
    if (!audience || changes.length === 0) return;
    const orders = { changes, text: Buffer.from(changes.map(({ text }) => text).join('')) };
    for (const listener of audience) listener.changed(orders);
  }
}

// No PO number has a space.
const changeOf = ({ message }: PostedMessage): OrderChange => ({
  key: `message ${message.messageId}`,
  text: eventText('message-posted', message),
});
