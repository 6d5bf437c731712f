import { EventStream, type StreamEvent } from '@po/testing/event-stream';
import type { StreamTokens } from './users.js';

/** Opened at the same time. */
const AT_ONCE = 50;

/** What one stream was told, by when it came on the clock of `performance.now()`. */
export interface Watched {
  /** By history id. */
  notifications: Map<string, number>;
  /** By order, as they came. */
  versions: Map<string, { version: number; at: number }[]>;
}

/** Streams that are open, and what those of buyers were told. */
export class WatchedStreams {
  readonly watched: Watched[] = [];
  /** Streams that ended. */
  ended = 0;

  /** Resolves when all are open; rejects when one is refused. */
  static async open(url: string, { buyers, vendors }: StreamTokens): Promise<WatchedStreams> {
    const streams = new WatchedStreams();
    const waiting = [
      ...vendors.map((token) => () => streams.add(url, token)),
      ...buyers.map((token) => () => streams.watch(url, token)),
    ];
    while (waiting.length > 0) await Promise.all(waiting.splice(0, AT_ONCE).map((open) => open()));
    return streams;
  }

  private async watch(url: string, token: string): Promise<void> {
    const watched: Watched = { notifications: new Map(), versions: new Map() };
    this.watched.push(watched);
    await this.add(url, token, ({ name, data, at }) => {
      if (name === 'notification') watched.notifications.set((data as { historyId: string }).historyId, at);
      if (name !== 'po-changed') return;
      const { poRef, version } = data as { poRef: string; version: number };
      const versions = watched.versions.get(poRef) ?? [];
      watched.versions.set(poRef, versions);
      versions.push({ version, at });
    });
  }

  private async add(gatewayUrl: string, token: string, onEvent?: (event: StreamEvent) => void): Promise<void> {
    const stream = await EventStream.open({ gatewayUrl, token, onEvent });
    if (stream.status !== 200) throw new Error(`a stream was answered ${stream.status}`);
    void stream.ended.then(() => (this.ended += 1));
  }
}
