import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ReceivedSpan, spansOf } from './spans.js';

interface Export {
  path: string;
  headers: IncomingHttpHeaders;
}

/** A trace collector for tests. */
export interface Receiver {
  url: string;
  /** All received spans, even if they were refused. */
  spans: ReceivedSpan[];
  /** All received requests, even if they were refused. */
  exports: Export[];
  /** Number of unanswered requests whose client still waits. */
  waiting: () => number;
  close: () => Promise<void>;
}

export type Behaviour = 'accepts' | 'refuses' | 'hangs';

/** Starts a collector that accepts requests, refuses them with 500, or never answers. Uses a free port by default. */
export async function startReceiver(behaviour: Behaviour = 'accepts', port = 0): Promise<Receiver> {
  const spans: ReceivedSpan[] = [];
  const exports: Export[] = [];
  const open = new Set<unknown>();
  const server = createServer((request, response) => {
    open.add(response.once('close', () => open.delete(response)));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      exports.push({ path: request.url ?? '', headers: request.headers });
      spans.push(...spansOf(Buffer.concat(chunks)));
      if (behaviour === 'hangs') return;
      response.writeHead(behaviour === 'accepts' ? 200 : 500, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    exports,
    waiting: () => open.size,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
