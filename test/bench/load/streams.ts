import { setTimeout as delay } from 'node:timers/promises';
import { EventStream, type StreamEvent } from '@po/testing/event-stream';
import { LOADED_ORDERS, poNumber } from '../orders.js';
import { type Rate, effectsOf, writeAtRate } from './loops.js';
import type { LoadTarget } from './main.js';
import { type Requests, requestText } from './requests.js';

/** Orders whose comment is changed: those after the ones that transitions are made of. */
export const CHANGED_ORDERS = 64;
/** Streams that are opened at the same time. */
const CONCURRENCY = 50;
const DRAIN_MS = 5_000;

/** A token for each stream. Buyers are notified of every transition, vendors of other orders. */
export interface StreamTokens {
  buyers: string[];
  vendors: string[];
}

/** The events that one stream received, with their times by `performance.now()`. */
interface Received {
  /** By history id. */
  notifications: Map<string, number>;
  /** By order, in the order of arrival. */
  versions: Map<string, { version: number; at: number }[]>;
}

/** Open streams, and the events that those of buyers received. */
export class WatchedStreams {
  readonly received: Received[] = [];
  /** Streams that ended. */
  ended = 0;

  /** Resolves when all are open; rejects when one is refused. */
  static async open(url: string, { buyers, vendors }: StreamTokens): Promise<WatchedStreams> {
    const streams = new WatchedStreams();
    const waiting = [
      ...vendors.map((token) => () => streams.add(url, token)),
      ...buyers.map((token) => () => streams.watch(url, token)),
    ];
    while (waiting.length > 0) await Promise.all(waiting.splice(0, CONCURRENCY).map((open) => open()));
    return streams;
  }

  private async watch(url: string, token: string): Promise<void> {
    const { notifications, versions }: Received = { notifications: new Map(), versions: new Map() };
    this.received.push({ notifications, versions });
    await this.add(url, token, ({ name, data, at }) => {
      if (name === 'notification') notifications.set((data as { historyId: string }).historyId, at);
      if (name !== 'po-changed') return;
      const { poRef, version } = data as { poRef: string; version: number };
      versions.set(poRef, [...(versions.get(poRef) ?? []), { version, at }]);
    });
  }

  private async add(gatewayUrl: string, token: string, onEvent?: (event: StreamEvent) => void): Promise<void> {
    const stream = await EventStream.open({ gatewayUrl, token, onEvent });
    if (stream.status !== 200) throw new Error(`a stream was answered ${stream.status}`);
    void stream.ended.then(() => (this.ended += 1));
  }
}

/** Each request sets another comment of the connection's own order, as the vendor. */
function changeRequests(token: string): Requests {
  let changes = 0;
  return {
    next: (connection) => {
      const number = poNumber(LOADED_ORDERS + (connection % CHANGED_ORDERS));
      const body = { vendor_reply_comment: `change ${(changes += 1)}` };
      const text = requestText('PATCH', `/api/purchase-orders/${number}`, token, body);
      return { text, poNumber: number, answered: () => undefined };
    },
  };
}

/** Transitions and changes without one at the same constant rate, and when each arrived at every buyer's stream. */
export async function measureStreams(
  { url, tokens }: LoadTarget,
  rate: Rate,
  transitions: Requests,
  streams: WatchedStreams,
) {
  const { received } = streams;
  const target = new URL(url);
  const [moved, changed] = await Promise.all([
    writeAtRate<{ historyId: string }>(target, rate, transitions),
    writeAtRate<{ version: number }>(target, rate, changeRequests(tokens.vendor)),
  ]);
  await delay(DRAIN_MS);
  const notified = effectsOf(moved.writes, ({ body }) =>
    received.map(({ notifications }) => notifications.get(body.historyId)),
  );
  // A newer version covers the change, too.
  const updated = effectsOf(changed.writes, ({ poNumber: ref, body }) =>
    received.map(({ versions }) => versions.get(ref)?.find(({ version }) => version >= body.version)?.at),
  );
  return {
    watching: received.length,
    ended: streams.ended,
    errors: moved.errors + changed.errors,
    rows: [
      { what: 'transition -> notification', writes: moved.writes.length, ...notified },
      { what: 'PATCH -> po-changed', writes: changed.writes.length, ...updated },
    ],
  };
}
