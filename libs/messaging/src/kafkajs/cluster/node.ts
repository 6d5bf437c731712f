import type { BrokerConnection } from './protocol.js';
import type { Api } from './versioned-apis.js';

/** Longer than a broker needs for a request that does not wait, shorter than users wait. */
const RESPONSE_TIMEOUT_MS = 3_000;
/** Limit for a large answer over a slow network. */
const FULL_RESPONSE_TIMEOUT_MS = 50_000;

/** No connection could be opened in time: nothing was sent. */
export class NotConnectedError extends Error {
  override name = 'NotConnectedError';
}

/** A broker at an address. It connects at the first send, and again after a failure. */
export class Node {
  private connection: BrokerConnection | null = null;
  private closed = false;
  /** `performance.now()` of the last failed request; -Infinity after an answer. */
  failedAt = -Infinity;

  constructor(
    readonly address: string,
    private readonly open: () => BrokerConnection,
  ) {}

  /**
   * The decoded answer, which may contain error codes. Rejects if there is no answer in time, and then drops all connections to the
   * broker, because a hanging connection would block every later request. With `isLarge`, the time restarts while bytes arrive.
   */
  async send<Ask, Answer>(
    api: Api<Ask, Answer>,
    ask: Ask,
    timeoutMs = RESPONSE_TIMEOUT_MS,
    { isLarge = false }: { isLarge?: boolean } = {},
  ): Promise<Answer> {
    if (this.closed) throw new Error(`the connection to ${this.address} was closed`);
    this.connection ??= this.open();
    const { connection } = this;
    const late = Promise.withResolvers<never>();
    const sendBy = performance.now() + timeoutMs;
    let received = bytesFrom(connection);
    const expire = () => {
      const before = received;
      received = bytesFrom(connection);
      if (isLarge && received > before && performance.now() < sendBy + FULL_RESPONSE_TIMEOUT_MS)
        timer = setTimeout(expire, timeoutMs);
      else late.reject(new Error(`broker ${this.address} did not answer within ${timeoutMs} ms`));
    };
    let timer = setTimeout(expire, timeoutMs);
    try {
      const answer = await Promise.race([exchange(connection, api, ask, sendBy), late.promise]);
      this.failedAt = -Infinity;
      return answer;
    } catch (error) {
      this.failedAt = performance.now();
      if (this.connection === connection) this.connection = null;
      giveUp(connection, error as Error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The same broker over separate connections, for slow requests that would block the ones behind them. */
  separate(): Node {
    return new Node(this.address, this.open);
  }

  /** Closes the connections permanently. Pending requests reject. */
  close(): void {
    const { connection } = this;
    this.closed = true;
    this.connection = null;
    if (connection) giveUp(connection, new Error(`the connection to ${this.address} is being closed`));
  }
}

async function exchange<Ask, Answer>(
  connection: BrokerConnection,
  { key, definition }: Api<Ask, Answer>,
  ask: Ask,
  sendBy: number,
): Promise<Answer> {
  if (!connection.isConnected()) {
    await connection.connect().catch((error: unknown) => {
      throw new NotConnectedError((error as Error).message, { cause: error });
    });
    // A process that was suspended resumes here before the timer of the caller fires.
    if (performance.now() > sendBy) throw new NotConnectedError('the connection was opened too late');
  }
  const { request, response } = connection.lookupRequest(key, definition)(ask);
  // KafkaJS throws at the first error code and hides the results that succeeded.
  return connection.connectionPool.send({
    request,
    response: { decode: response.decode, parse: (answer: Answer) => Promise.resolve(answer) },
  });
}

const bytesFrom = ({ connectionPool }: BrokerConnection): number =>
  connectionPool.pool.reduce((sum, { socket }) => sum + (socket?.bytesRead ?? 0), 0);

// KafkaJS's disconnect waits for missing answers.
function giveUp(connection: BrokerConnection, error: Error): void {
  for (const { socket } of connection.connectionPool.pool) socket?.destroy(error);
}
