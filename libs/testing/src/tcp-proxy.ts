import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** A connection: the bytes of each socket pass through its own delay to the other. */
type Pair = { socket: Socket; slowdown: Transform; other: Socket }[];

/** Proxy between a client and its store that simulates a dead, hanging or distant store. */
export class TcpProxy {
  private readonly server: Server;
  private readonly pairs = new Set<Pair>();
  /** Silenced connections of a previous target. */
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

  /** Listens on a free port unless one is given. */
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

  /** Simulates a killed store: connections break, and new ones are closed immediately. */
  cut(): void {
    this.mode = 'cut';
    this.reset();
  }

  /** Simulates a network that drops connections: existing ones break, new ones work. */
  reset(): void {
    for (const pair of this.pairs) for (const { socket } of pair) socket.resetAndDestroy();
  }

  /** Simulates a stopped process: connections stay open, but nothing is answered. */
  hang(): void {
    this.mode = 'hang';
    for (const pair of this.pairs) silence(pair);
  }

  /**
   * Simulates an address that now leads to another server, while the previous one vanished silently: its connections stay open without
   * answers.
   */
  moveTo(target: URL): void {
    this.target = target;
    for (const pair of this.pairs) {
      silence(pair);
      this.lost.add(pair);
    }
    this.pairs.clear();
  }

  /** Simulates latency: each piece of data is delayed, and the next one waits for it. */
  slow(latencyMs: number): void {
    this.latencyMs = latencyMs;
  }

  /** Restores the connection without latency. Hanging connections continue. */
  restore(): void {
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
