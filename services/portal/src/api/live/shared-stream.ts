import type { PurchaseOrderClient, StreamEvent } from '@po/client';

type Told =
  | { kind: 'event'; event: StreamEvent }
  /** The stream was opened or lost. */
  | { kind: 'connection'; connected: boolean }
  /** A tab that was just opened asks how it is. */
  | { kind: 'asked' }
  | { kind: 'answer'; connected: boolean };

interface Listeners {
  take: (event: StreamEvent) => void;
  /** `again`: it was there before, and what changed meanwhile was not told. */
  connection: (connected: boolean, again: boolean) => void;
}

/**
 * The live stream, one for all tabs of a browser: a browser has six connections to a gateway, and a user five streams. The tab that
 * holds the lock reads it and tells the others; when it is closed the next one opens it again, and what was not told meanwhile is read.
 */
export function followShared(client: PurchaseOrderClient, user: string, { take, connection }: Listeners): () => void {
  const name = `po.live:${user}`;
  const stop = new AbortController();
  const channel = new BroadcastChannel(name);
  let reading = false;
  let connected = false;
  let opened = 0;

  const hear = (told: Told) => {
    if (told.kind === 'event') {
      take(told.event);
    } else if (told.kind === 'connection') {
      opened += told.connected ? 1 : 0;
      connection(told.connected, opened > 1);
    } else if (told.kind === 'answer') {
      // A stream that is lost counts too: until it is back, nothing of what changes is told.
      opened += 1;
      connection(told.connected, false);
    } else if (reading) {
      channel.postMessage({ kind: 'answer', connected } satisfies Told);
    }
  };
  const tell = (told: Told) => {
    channel.postMessage(told);
    hear(told);
  };
  const read = async () => {
    reading = true;
    const onConnection = (now: boolean) => {
      connected = now;
      tell({ kind: 'connection', connected });
    };
    const events = client.stream({ signal: stop.signal, onConnection });
    for await (const event of events) tell({ kind: 'event', event });
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => hear(data));
  channel.postMessage({ kind: 'asked' } satisfies Told);
  // Rejects when it is stopped, and when the API refuses the stream for good: then nothing is live.
  navigator.locks.request(name, { signal: stop.signal }, read).catch(() => {
    reading = false;
    if (!stop.signal.aborted) connection(false, false);
  });
  return () => {
    stop.abort();
    channel.close();
  };
}
