import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/** Stands between a client and its store, to make the store seem dead or hung. */
export class TcpProxy {
  private readonly server: Server;
  private readonly pairs = new Set<[client: Socket, target: Socket]>();
  private mode: 'pass' | 'cut' | 'hang' = 'pass';

  private constructor(target: URL) {
    this.server = createServer((client) => {
      if (this.mode === 'cut') return void client.destroy();
      const pair: [Socket, Socket] = [client, connect(Number(target.port), target.hostname)];
      this.pairs.add(pair);
      for (const [index, socket] of pair.entries()) {
        const other = pair[1 - index] as Socket;
        socket.on('error', () => undefined);
        socket.on('close', () => {
          other.destroy();
          this.pairs.delete(pair);
        });
        if (this.mode === 'pass') socket.pipe(other);
      }
    });
  }

  static async to(target: URL): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** host:port for the client. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** As a killed store: connections break, new ones are closed at once. */
  cut(): void {
    this.mode = 'cut';
    this.breakConnections();
  }

  /** As a stopped process: connections stay, nothing is answered. */
  hang(): void {
    this.mode = 'hang';
    for (const [client, target] of this.pairs) {
      client.unpipe(target);
      target.unpipe(client);
      client.pause();
    }
  }

  /** The store is back. What was hanging continues. */
  pass(): void {
    this.mode = 'pass';
    for (const [client, target] of this.pairs) {
      client.pipe(target);
      target.pipe(client);
    }
  }

  async close(): Promise<void> {
    this.breakConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private breakConnections(): void {
    for (const [client, target] of this.pairs) {
      client.destroy();
      target.destroy();
    }
  }
}
