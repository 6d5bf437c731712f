import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** One connection: each socket's bytes go through a slowdown of their own to the other. */
type Pair = { socket: Socket; slowdown: Transform; other: Socket }[];

/** Stands between a client and its store, to make the store seem dead, hung or far away. */
export class TcpProxy {
  private readonly server: Server;
  private readonly pairs = new Set<Pair>();
  /** Connections that nobody will ever hear of again. */
  private readonly lost = new Set<Pair>();
  private mode: 'pass' | 'cut' | 'hang' = 'pass';
  private latencyMs = 0;

  private constructor(private target: URL) {
    this.server = createServer((client) => {
      if (this.mode === 'cut') return void client.destroy();
      const sockets: [Socket, Socket] = [client, connect(Number(this.target.port), this.target.hostname)];
      const pair: Pair = sockets.map((socket, index) => ({
        socket,
        slowdown: this.slowdown(),
        other: sockets[1 - index] as Socket,
      }));
      this.pairs.add(pair);
      for (const { socket, slowdown, other } of pair) {
        socket.on('error', () => undefined);
        socket.on('close', () => {
          other.destroy();
          this.pairs.delete(pair);
          this.lost.delete(pair);
        });
        slowdown.pipe(other);
        if (this.mode === 'pass') socket.pipe(slowdown);
      }
    });
  }

  /** On a free port unless one is given. */
  static async to(target: URL, port = 0): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await new Promise<void>((resolve) => proxy.server.listen(port, '127.0.0.1', resolve));
    return proxy;
  }

  /** host:port for the client. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.pairs.size;
  }

  /** As a killed store: connections break, new ones are closed at once. */
  cut(): void {
    this.mode = 'cut';
    this.reset();
  }

  /** As a network that drops a connection: those there are break wherever they are, new ones work. */
  reset(): void {
    for (const pair of this.pairs) for (const { socket } of pair) socket.resetAndDestroy();
  }

  /** As a stopped process: connections stay, nothing is answered. */
  hang(): void {
    this.mode = 'hang';
    for (const pair of this.pairs) silence(pair);
  }

  /** As an address that leads to another server from now on, while the one before vanished: nothing on its connections is answered. */
  moveTo(target: URL): void {
    this.target = target;
    for (const pair of this.pairs) {
      silence(pair);
      this.lost.add(pair);
    }
    this.pairs.clear();
  }

  /** As a long and narrow way: every piece of data is under way for so long, and the next one waits for it. */
  slow(latencyMs: number): void {
    this.latencyMs = latencyMs;
  }

  /** The store is back, as near as it was. What was hanging continues. */
  pass(): void {
    this.latencyMs = 0;
    if (this.mode === 'hang') {
      for (const pair of this.pairs) for (const { socket, slowdown } of pair) socket.pipe(slowdown);
    }
    this.mode = 'pass';
  }

  async close(): Promise<void> {
    this.reset();
    for (const pair of this.lost) for (const { socket } of pair) socket.resetAndDestroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private slowdown(): Transform {
    const pass = (data: Buffer, done: TransformCallback) => {
      if (this.latencyMs === 0) done(null, data);
      else void delay(this.latencyMs).then(() => done(null, data));
    };
    return new Transform({ transform: (data: Buffer, _encoding, done) => pass(data, done) });
  }
}

function silence(pair: Pair): void {
  for (const { socket, slowdown } of pair) socket.unpipe(slowdown).pause();
}
