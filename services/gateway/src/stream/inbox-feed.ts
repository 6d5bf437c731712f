import type { Actor } from '@po/contracts';
import type { Client } from './client.js';
import type { Inboxes } from './inboxes.js';

/** Asks for all open streams of one user in one role what came into their inbox: once, however many they are. */
export class InboxFeed {
  /** Streams that use it, also those that are still told what they missed. */
  users = 0;
  /** How often it was said that the inbox moved. */
  moves = 0;
  private readonly clients = new Set<Client>();
  /** What all of them were told. */
  private at = 0;
  private asking = false;
  private again = false;
  private failed = false;
  private askedAt = performance.now();

  constructor(
    readonly actor: Actor,
    private readonly inboxes: Inboxes,
  ) {}

  /**
   * From now on the client is told what comes. False: others were told more meanwhile, and it must ask on first. `moves` is what it was
   * when the client's last question was asked.
   */
  join(client: Client, moves: number): boolean {
    if (this.clients.size === 0) this.at = client.at;
    if (client.at < this.at) return false;
    this.clients.add(client);
    if (this.moves !== moves) this.ask();
    return true;
  }

  leave(client: Client): void {
    this.clients.delete(client);
  }

  /** The inbox moved. */
  moved(): void {
    this.moves += 1;
    this.ask();
  }

  /** Whether it was asked last before `time`, or before `retryBefore` without an answer; performance clock. */
  isDue(time: number, retryBefore: number): boolean {
    if (this.clients.size === 0 || this.asking) return false;
    return this.askedAt < time || (this.failed && this.askedAt < retryBefore);
  }

  /** Once more when a question is under way: its answer may be from before. */
  ask(): void {
    if (this.clients.size === 0) return;
    this.again = true;
    if (!this.asking) void this.askOn();
  }

  private async askOn(): Promise<void> {
    this.asking = true;
    while (this.again && this.clients.size > 0) {
      this.again = false;
      this.askedAt = performance.now();
      try {
        const page = await this.inboxes.since(this.actor, this.at);
        this.failed = false;
        this.at = page.at;
        for (const client of this.clients) client.take(page);
        this.again ||= page.more;
      } catch {
        // Asked again when it is due: the metrics of requests to services tell how many fail.
        this.failed = true;
        break;
      }
    }
    this.asking = false;
  }
}
