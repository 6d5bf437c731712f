import { setTimeout as delay } from 'node:timers/promises';
import type { Notification } from '@po/contracts';
import { EventStream } from '@po/testing/event-stream';
import type { UserName } from './users.js';
import type { World } from './world.js';

/** Less than the one-second `retry` of streams, so that more connections break at more points. */
const RETRY_DELAY_MS = 200;

/** A client that keeps a live stream open. It reconnects to the gateways in turn and resumes after its last notification. */
export class Follower {
  /** Ids of the received notifications, in order. */
  readonly seen: string[] = [];
  /** How often the stream was opened, and how many `reset` events it received. */
  opened = 0;
  resets = 0;
  private stream: EventStream | null = null;
  private stopped = false;
  private readonly following: Promise<void>;

  constructor(
    private readonly world: Pick<World, 'stack' | 'tokenOf'>,
    readonly user: UserName,
    /** Id of the last notification before the stream is opened. */
    private readonly after: string,
  ) {
    this.following = this.follow();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.stream?.close();
    await this.following;
  }

  private async follow(): Promise<void> {
    const { gatewayUrls } = this.world.stack.file();
    for (let turn = 0; !this.stopped; turn += 1) {
      const stream = await EventStream.open({
        gatewayUrl: gatewayUrls[turn % gatewayUrls.length] ?? '',
        token: this.world.tokenOf(this.user),
        headers: { 'last-event-id': this.seen.at(-1) ?? this.after },
        onEvent: ({ name, data }) => this.take(name, data),
      }).catch(() => null);
      this.stream = stream;
      if (this.stopped) stream?.close();
      if (stream?.status === 200) this.opened += 1;
      await stream?.ended;
      await delay(RETRY_DELAY_MS);
    }
  }

  private take(name: string, data: unknown): void {
    if (name === 'notification') this.seen.push((data as Notification).id);
    if (name === 'reset') this.resets += 1;
  }
}
