import type { Actor } from '@po/contracts';
import type { Client } from './client.js';
import type { Inboxes } from './inboxes.js';

/** Polls one user's inbox for all open streams of that user in one role: one request, however many streams. */
export class InboxFeed {
  /** Streams that use this feed, including those that still catch up. */
  streams = 0;
  /** Number of signals that the inbox changed. */
  signals = 0;
  private readonly clients = new Set<Client>();
  /** Position up to which every client is served. */
  private at = 0;
  private polling = false;
  private repeat = false;
  private failed = false;
  private requestedAt = performance.now();

  constructor(
    readonly actor: Actor,
    private readonly inboxes: Inboxes,
  ) {}

  /**
   * Subscribes a client that has caught up. Returns false if other clients are further: the client must catch up again first. `signals` is
   * the count before the client's last request.
   */
  subscribe(client: Client, signals: number): boolean {
    // The answer to a poll in progress contains only what came after `at`.
    if (this.clients.size === 0 && !this.polling) this.at = client.at;
    if (client.at < this.at) return false;
    this.clients.add(client);
    if (this.signals !== signals) this.refresh();
    return true;
  }

  unsubscribe(client: Client): void {
    this.clients.delete(client);
  }

  /** Handles a signal that the inbox changed. */
  changed(): void {
    this.signals += 1;
    this.refresh();
  }

  /** Whether the last request was sent before `time`, or failed and was sent before `retryBefore`; performance clock. */
  isDue(time: number, retryBefore: number): boolean {
    if (this.clients.size === 0 || this.polling) return false;
    return this.requestedAt < time || (this.failed && this.requestedAt < retryBefore);
  }

  /** Requests the inbox. A request in progress is repeated, because its answer may be older than the signal. */
  refresh(): void {
    if (this.clients.size === 0) return;
    this.repeat = true;
    if (!this.polling) void this.poll();
  }

  private async poll(): Promise<void> {
    this.polling = true;
    while (this.repeat && this.clients.size > 0) {
      this.repeat = false;
      this.requestedAt = performance.now();
      try {
        const page = await this.inboxes.since(this.actor, this.at);
        this.failed = false;
        this.at = page.at;
        for (const client of this.clients) client.take(page);
        this.repeat ||= page.more;
      } catch {
        // Retried when it is due. The metrics of requests to services count failures.
        this.failed = true;
        break;
      }
    }
    this.polling = false;
  }
}
