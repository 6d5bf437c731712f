import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** One event of a live stream; `at`: when it came, on the performance clock. */
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
  /** Behind the path, with its question mark. */
  query?: string;
  headers?: Record<string, string>;
  /** False: the answer's body stays where it is until `read`. */
  reads?: boolean;
  onEvent?: (event: StreamEvent) => void;
}

/** A client of the live stream, with a connection of its own. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  /** What is neither an event nor a part of one: comments, and the time to wait before it is opened again. */
  readonly others: string[] = [];
  /** Of the last notification; null: there was none. */
  lastId: string | null = null;
  /** Resolves with whether the server ended it, or else it broke. */
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

  /** Resolves when the headers of an answer are there, whatever its status. */
  static open(opening: Opening): Promise<EventStream> {
    const { gatewayUrl, token, method = 'GET', query = '', headers = {} } = opening;
    return new Promise((resolve, reject) => {
      const asked = request(`${gatewayUrl}/api/notifications/stream${query}`, {
        agent: false,
        method,
        headers: { ...(token === undefined ? {} : { 'x-user-token': token }), ...headers },
      });
      asked.on('error', reject);
      asked.on('response', (response) => resolve(new EventStream(response, opening)));
      asked.end();
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers;
  }

  /** What the events of this name hold, in order. */
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

  /** What has come of an answer that is no stream. */
  get text(): string {
    return this.unfinished;
  }

  /** Leaves it. */
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
