import type { Actor } from '@po/contracts';
import type { ChangedOrders, OrderChange } from './order-audiences.js';
import type { Connection } from './connection.js';
import type { Page } from './inboxes.js';
import { RETRY, eventText } from './server-sent-events.js';

/** The client of a stream: what was sent to it, and so what to send next. */
export class Client {
  /** Number of the last notification that was sent, or of the last one before the stream was opened. */
  at = 0;
  private unread: number | null = null;
  /** Changes of orders that wait until the client has caught up, as text by key; null afterwards. */
  private held: Map<string, string> | null = new Map();
  private heldBytes = 0;

  constructor(
    readonly connection: Connection,
    readonly actor: Actor,
  ) {}

  /** Sends the beginning of what the client missed, as fast as the client reads. */
  async begin(page: Page): Promise<void> {
    await this.connection.writeAsRead(RETRY + this.unreadText(page));
    await this.catchUp(page);
  }

  /** Sends more of what the client missed, as fast as the client reads. */
  async catchUp(page: Page): Promise<void> {
    if (page.reset) await this.connection.writeAsRead(eventText('reset', {}));
    for (const { number, text } of page.items) {
      if (!this.connection.isOpen) return;
      await this.connection.writeAsRead(text);
      this.at = number;
    }
    this.at = page.at;
  }

  /** The client has caught up with this page: sends the changes that waited, and later ones at once. */
  goLive(last: Page): void {
    const text = this.unreadText(last) + [...(this.held?.values() ?? [])].join('');
    this.held = null;
    if (text !== '') this.connection.write(text);
  }

  /** Sends the notifications of a page that the client does not have yet, and a changed unread count. */
  take(page: Page): void {
    const reset = page.reset ? eventText('reset', {}) : '';
    if (page.reset) this.at = page.at;
    const items = page.items.filter(({ number }) => number > this.at);
    const text = reset + items.map((item) => item.text).join('') + this.unreadText(page);
    this.at = Math.max(this.at, page.at);
    if (text !== '') this.connection.write(text);
  }

  /** Sends newer versions of orders that the client may see, or messages about them. */
  changed({ changes, text }: ChangedOrders): void {
    if (!this.held) {
      this.connection.write(text);
      return;
    }
    for (const change of changes) this.hold(change);
    this.connection.bound(this.heldBytes);
  }

  private hold({ key, text }: OrderChange): void {
    this.heldBytes += text.length - (this.held?.get(key)?.length ?? 0);
    this.held?.set(key, text);
  }

  private unreadText({ unread }: Page): string {
    if (unread === this.unread) return '';
    this.unread = unread;
    return eventText('unread', { unread });
  }
}
