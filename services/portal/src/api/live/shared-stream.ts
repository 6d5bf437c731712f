import type { PurchaseOrderClient, StreamEvent } from '@po/client';

type ChannelMessage =
  | { kind: 'event'; event: StreamEvent }
  /** The stream was opened or lost. */
  | { kind: 'connection'; connected: boolean }
  /** A new tab asks whether the stream is connected. */
  | { kind: 'asked' }
  | { kind: 'answer'; connected: boolean };

interface Listeners {
  take: (event: StreamEvent) => void;
  /** `again`: the stream was connected before, and changes in between sent no event. */
  connection: (connected: boolean, again: boolean) => void;
}

/**
 * Follows the live stream that all tabs of a browser share, because a browser has six connections to a gateway and a user has five
 * streams. The tab that holds the lock reads the stream and broadcasts its events. When that tab closes, another tab opens the stream
 * and reads the changes that it missed.
 */
export function followShared(client: PurchaseOrderClient, user: string, { take, connection }: Listeners): () => void {
  const name = `po.live:${user}`;
  const stop = new AbortController();
  const channel = new BroadcastChannel(name);
  let reading = false;
  let connected = false;
  let opened = 0;

  const onMessage = (message: ChannelMessage) => {
    if (message.kind === 'event') {
      take(message.event);
    } else if (message.kind === 'connection') {
      opened += message.connected ? 1 : 0;
      connection(message.connected, opened > 1);
    } else if (message.kind === 'answer') {
      // A lost stream counts as opened too: changes until it is back send no event.
      opened += 1;
      connection(message.connected, false);
    } else if (reading) {
      channel.postMessage({ kind: 'answer', connected } satisfies ChannelMessage);
    }
  };
  const broadcast = (message: ChannelMessage) => {
    channel.postMessage(message);
    onMessage(message);
  };
  const read = async () => {
    reading = true;
    const onConnection = (now: boolean) => {
      connected = now;
      broadcast({ kind: 'connection', connected });
    };
    const events = client.stream({ signal: stop.signal, onConnection });
    for await (const event of events) broadcast({ kind: 'event', event });
  };
  channel.addEventListener('message', ({ data }: MessageEvent<ChannelMessage>) => onMessage(data));
  channel.postMessage({ kind: 'asked' } satisfies ChannelMessage);
  // Rejects when stopped, and when the API refuses the stream for good: then there are no live updates.
  navigator.locks.request(name, { signal: stop.signal }, read).catch(() => {
    reading = false;
    if (!stop.signal.aborted) connection(false, false);
  });
  return () => {
    stop.abort();
    channel.close();
  };
}
