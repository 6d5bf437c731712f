import type { Socket } from 'node:net';
import pg from 'pg';

/** More different texts than this are not prepared: they were built per request, and each would stay in the server's memory. */
const MAX_STATEMENTS = 500;

const names = new Map<string, string>();

/** A name for this text, the same on every connection; undefined when there are too many texts already. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_STATEMENTS) return known;
  const name = `auto-${names.size}`;
  names.set(text, name);
  return name;
}

/** What every pg client has and its types do not tell. */
interface Connected {
  connection: { stream: Socket };
}

/**
 * A PostgreSQL connection that prepares every statement with parameters, TypeORM's included: parsing and planning a statement over
 * some eighty columns anew each time costs more than running it. Statements of one turn of the event loop leave in one packet.
 */
export class PreparingClient extends pg.Client {
  private corked = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The pool listens only to connections that nobody has. Without this, one that breaks between two statements of whoever has it
    // would end the process; so it is told by the rejection of the next statement.
    this.on('error', () => undefined);
  }

  override query = ((config: unknown, values?: unknown, callback?: unknown) => {
    this.cork();
    const query = pg.Client.prototype.query.bind(this) as (...args: unknown[]) => unknown;
    if (typeof config !== 'string' || !Array.isArray(values) || values.length === 0)
      return query(config, values, callback);
    return query({ name: nameOf(config), text: config, values }, callback);
  }) as pg.Client['query'];

  /** Closes an idle connection without a goodbye, which a server that vanished would never acknowledge. */
  abandon(reason: string): void {
    // Its pool drops it now, and hands it to nobody before the socket is closed.
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
    // Runs when the promises that are ready now have run, and with them whatever they send.
    process.nextTick(() => {
      this.corked = false;
      stream.uncork();
    });
  }
}
