import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** An event of a live stream; `at`: when it arrived, on the performance clock. */
export interface StreamEvent {
  name: string;
  id: string | null;
  data: unknown;
  at: number;
}

interface Opening {
  gatewayUrl: string;
  token?: string;
  method?: 'GET' | 'HEAD';
  /** Query string after the path, including the question mark. */
  query?: string;
  headers?: Record<string, string>;
  /** If false, the response body is not consumed until `read`. */
  reads?: boolean;
  onEvent?: (event: StreamEvent) => void;
}

/** A client of the live stream with its own connection. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  /** Lines outside of events: comments and the reconnection time. */
  readonly others: string[] = [];
  /** Id of the last notification; null if there was none. */
  lastId: string | null = null;
  /** Resolves when the stream ends: true if the server ended it, false if the connection broke. */
  readonly ended: Promise<boolean>;
  private unfinished = '';

  private constructor(
    private readonly response: IncomingMessage,
    { reads = true, onEvent }: Opening,
  ) {
    response.setEncoding('utf8');
    this.ended = new Promise((resolve) => {
      response.on('error', () => undefined);
      response.on('close', () => resolve(response.complete));
    });
    if (reads) this.read(onEvent);
  }

  /** Resolves when the response headers have arrived, whatever the status. */
  static open(opening: Opening): Promise<EventStream> {
    const { gatewayUrl, token, method = 'GET', query = '', headers = {} } = opening;
    return new Promise((resolve, reject) => {
      const httpRequest = request(`${gatewayUrl}/api/notifications/stream${query}`, {
        agent: false,
        method,
        headers: { ...(token === undefined ? {} : { 'x-user-token': token }), ...headers },
      });
      httpRequest.on('error', reject);
      httpRequest.on('response', (response) => resolve(new EventStream(response, opening)));
      httpRequest.end();
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers;
  }

  /** Data of the events with this name, in order. */
  dataOf<T>(name: string): T[] {
    return this.events.filter((event) => event.name === name).map(({ data }) => data as T);
  }

  read(onEvent?: (event: StreamEvent) => void): void {
    this.response.on('data', (text: string) => {
      const blocks = (this.unfinished + text).split('\n\n');
      this.unfinished = blocks.pop() ?? '';
      for (const block of blocks) this.take(block, onEvent);
    });
  }

  /** The body received so far of a response that is not a stream. */
  get text(): string {
    return this.unfinished;
  }

  /** Disconnects. */
  close(): void {
    this.response.destroy();
  }

  private take(block: string, onEvent: ((event: StreamEvent) => void) | undefined): void {
    const lines = block.split('\n').map((line) => [...(/^(\w*): ?(.*)$/.exec(line) ?? [])].slice(1));
    const fieldOf = (field: string) => lines.find(([name]) => name === field)?.[1] ?? null;
    const [name, id, data] = [fieldOf('event'), fieldOf('id'), fieldOf('data')];
    this.others.push(...block.split('\n').filter((line) => !/^(event|id|data):/.test(line)));
    if (name === null || data === null) return;
    const event = { name, id, data: JSON.parse(data) as unknown, at: performance.now() };
    if (id !== null) this.lastId = id;
    this.events.push(event);
    onEvent?.(event);
  }
}
