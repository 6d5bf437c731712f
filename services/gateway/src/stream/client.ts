import type { Actor } from '@po/contracts';
import type { ChangedOrders, OrderChange } from './order-audiences.js';
import type { Connection } from './connection.js';
import type { Page } from './inboxes.js';
import { RETRY, eventText } from './server-sent-events.js';

/** What one client was told, and so what it is to be told next. */
export class Client {
  /** The number of the last notification it was told of, or that there was when it came. */
  at = 0;
  private unread: number | null = null;
  /** Changes of orders that wait until it was told what it missed, as text by their keys; null once it was. */
  private held: Map<string, string> | null = new Map();
  private heldBytes = 0;

  constructor(
    readonly connection: Connection,
    readonly actor: Actor,
  ) {}

  /** Begins with what was missed; as fast as it reads. */
  async begin(page: Page): Promise<void> {
    await this.connection.writeAsRead(RETRY + this.unreadText(page));
    await this.catchUp(page);
  }

  /** Goes on with what was missed. */
  async catchUp(page: Page): Promise<void> {
    if (page.reset) await this.connection.writeAsRead(eventText('reset', {}));
    for (const { number, text } of page.items) {
      if (!this.connection.isOpen) return;
      await this.connection.writeAsRead(text);
      this.at = number;
    }
    this.at = page.at;
  }

  /** All that was missed is told, the last of it in this page: from now on it is told at once what comes. */
  goLive(last: Page): void {
    const text = this.unreadText(last) + [...(this.held?.values() ?? [])].join('');
    this.held = null;
    if (text !== '') this.connection.write(text);
  }

  /** What came into its inbox now; of that, what it does not know. */
  take(page: Page): void {
    const reset = page.reset ? eventText('reset', {}) : '';
    if (page.reset) this.at = page.at;
    const items = page.items.filter(({ number }) => number > this.at);
    const text = reset + items.map((item) => item.text).join('') + this.unreadText(page);
    this.at = Math.max(this.at, page.at);
    if (text !== '') this.connection.write(text);
  }

  /** Orders that it may see have newer versions, or messages. */
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
