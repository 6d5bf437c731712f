import { connect } from 'node:net';

export interface LoadResult {
  connections: number;
  requests: number;
  errors: number;
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** Builds the next request of one connection: its whole HTTP/1.1 text. */
export type NextRequest = (connection: number, sequence: number) => string;

const LIMIT = 200_000;

/**
 * Sends requests over keep-alive connections, one in flight on each, for `seconds`, and measures each answer. A raw socket client:
 * it must cost little, because it shares the machine with what it measures.
 */
export async function load(url: URL, connections: number, seconds: number, next: NextRequest): Promise<LoadResult> {
  const latencies: number[] = [];
  let errors = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const client = await open(url);
      for (let sequence = 0; performance.now() < until && latencies.length < LIMIT; sequence += 1) {
        const sentAt = performance.now();
        const status = await client.exchange(next(index, sequence));
        latencies.push(performance.now() - sentAt);
        if (status < 200 || status > 299) errors += 1;
      }
      client.close();
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const quantile = (q: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(q * latencies.length))] ?? Number.NaN;
  return {
    connections,
    requests: latencies.length,
    errors,
    requestsPerSecond: latencies.length / elapsed,
    p50: quantile(0.5),
    p99: quantile(0.99),
  };
}

interface Client {
  /** Sends one request and resolves with the status of its answer. */
  exchange(request: string): Promise<number>;
  close(): void;
}

function open(url: URL): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    let received = Buffer.alloc(0);
    let answer: { resolve: (status: number) => void; reject: (error: Error) => void } | null = null;
    socket.setNoDelay(true);
    socket.on('error', (error) => (answer ?? { reject }).reject(error));
    socket.on('close', () => answer?.reject(new Error('the server closed the connection')));
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = received.toString('latin1', 0, headEnd);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (received.length < headEnd + 4 + length) return;
      received = received.subarray(headEnd + 4 + length);
      const { resolve: done } = answer ?? { resolve: () => undefined };
      answer = null;
      done(Number(head.slice(9, 12)));
    });
    socket.on('connect', () =>
      resolve({
        exchange: (request) =>
          new Promise((done, failed) => {
            answer = { resolve: done, reject: failed };
            socket.write(request);
          }),
        close: () => socket.destroy(),
      }),
    );
  });
}
