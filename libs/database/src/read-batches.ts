import type { PoolClient } from 'pg';
import { pipelined } from './pipelined.js';

type Send<T> = (client: PoolClient) => Promise<T>;

interface Waiting {
  send: Send<void>;
  reject: (reason: unknown) => void;
}

/** With more, reads would wait longer for each other than for their own connection. */
const READS_PER_CONNECTION = 8;

/**
 * Lets the reads of one event-loop turn share connections. Each is still a separate statement or transaction, but they leave in one
 * packet, and PostgreSQL wakes up once for all of them.
 */
export class ReadBatches {
  private waiting: Waiting[] = [];

  constructor(private readonly onClient: (run: Send<void>) => Promise<void>) {}

  /** Settles like `send`, which must send all its statements without waiting and leave no transaction open. */
  add<T>(send: Send<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ send: (client) => send(client).then(resolve), reject });
      if (this.waiting.length === 1) setImmediate(() => this.sendAll());
    });
  }

  private sendAll(): void {
    const reads = this.waiting;
    this.waiting = [];
    for (let from = 0; from < reads.length; from += READS_PER_CONNECTION) {
      void this.sendTogether(reads.slice(from, from + READS_PER_CONNECTION));
    }
  }

  private async sendTogether(reads: readonly Waiting[]): Promise<void> {
    try {
      // The owner of the connection gets the failure too, because the connection may be broken.
      await this.onClient((client) =>
        pipelined(
          reads.map(({ send, reject }) =>
            send(client).catch((error: unknown) => {
              reject(error);
              throw error;
            }),
          ),
        ),
      );
    } catch (error) {
      // Without a connection no read was sent. After a failed read this has no effect, because all reads are already settled.
      for (const { reject } of reads) reject(error);
    }
  }
}
