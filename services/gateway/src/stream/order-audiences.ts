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
  /** Hidden from vendors. */
  internal: boolean;
}

/** The event about one order; of several with the same key only the last counts. */
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
  /** Listeners by vendor scope; null: the orders of every vendor. */
  private readonly audiences = new Map<string | null, Set<Listener>>();

  add(vendorCode: string | null, listener: Listener): void {
    const audience = this.audiences.get(vendorCode) ?? new Set();
    this.audiences.set(vendorCode, audience.add(listener));
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
    this.send(all, all, changeOfOrder);
  }

  /** Sends that there are messages; internal ones go to no vendor. */
  posted(messages: readonly PostedMessage[]): void {
    const forVendors = messages.filter(({ internal }) => !internal);
    this.send(messages, forVendors, changeOfMessage);
  }

  private send<T extends { vendorCode: string }>(
    all: readonly T[],
    forVendors: readonly T[],
    changeOf: (one: T) => OrderChange,
  ): void {
    this.sendTo(null, all.map(changeOf));
    for (const [vendorCode, theirs] of Map.groupBy(forVendors, (one) => one.vendorCode))
      this.sendTo(vendorCode, theirs.map(changeOf));
  }

  private sendTo(vendorCode: string | null, changes: readonly OrderChange[]): void {
    const audience = this.audiences.get(vendorCode);
    if (!audience || changes.length === 0) return;
    const orders = { changes, text: Buffer.from(changes.map(({ text }) => text).join('')) };
    for (const listener of audience) listener.changed(orders);
  }
}

const changeOfOrder = ({ order }: NewerOrder): OrderChange => ({
  key: order.poRef,
  text: eventText('po-changed', order),
});

// Differs from every order's key, because no PO number has a space.
const changeOfMessage = ({ message }: PostedMessage): OrderChange => ({
  key: `message ${message.messageId}`,
  text: eventText('message-posted', message),
});
