import type { Socket } from 'node:net';
import pg from 'pg';

/** Limit of prepared texts: beyond it, texts are probably built per request, and each would stay in the server's memory. */
const MAX_STATEMENTS = 500;

const names = new Map<string, string>();

/** Returns the name of this text, the same on every connection; undefined beyond the limit. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_STATEMENTS) return known;
  const name = `auto-${names.size}`;
  names.set(text, name);
  return name;
}

/** A member of pg clients that their types lack. */
interface Connected {
  connection: { stream: Socket };
}

/**
 * PostgreSQL connection that prepares every statement with parameters, including TypeORM's: parsing and planning a statement over some
 * eighty columns costs more than running it. Statements of one event-loop turn leave in one packet.
 */
export class PreparingClient extends pg.Client {
  private corked = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The pool listens only to idle connections. Without this listener, a checked-out connection that breaks between two statements
    // would end the process; with it, the next statement rejects.
    this.on('error', () => undefined);
  }

  override query = ((config: unknown, values?: unknown, callback?: unknown) => {
    this.cork();
    const query = pg.Client.prototype.query.bind(this) as (...args: unknown[]) => unknown;
    if (typeof config !== 'string' || !Array.isArray(values) || values.length === 0)
      return query(config, values, callback);
    return query({ name: nameOf(config), text: config, values }, callback);
  }) as pg.Client['query'];

  /** Closes an idle connection without a Terminate message, which a vanished server would never acknowledge. */
  abandon(reason: string): void {
    // The error makes the pool drop this connection now, so that it is not used again before the socket is closed.
    this.emit('error', new Error(reason));
    this.stream.destroy();
  }

  private get stream(): Socket {
    return (this as unknown as Connected).connection.stream;
  }

  private cork(): void {
    if (this.corked) return;
    this.corked = true;
    const { stream } = this;
    stream.cork();
    // Runs after the promises that are ready now, and thus after the statements that they send.
    process.nextTick(() => {
      this.corked = false;
      stream.uncork();
    });
  }
}
