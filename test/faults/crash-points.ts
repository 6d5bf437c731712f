// Loaded into every service of this tier by `--import`, before its own code; Node strips the types. This module decorates the libraries
// that connect the services to their stores, so that product code needs no changes.
import { existsSync, readFileSync, unlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';

// Shifts the clock by this number of milliseconds.
const wrongBy = Number(process.env.FAULTS_CLOCK_MS ?? 0);
if (wrongBy !== 0) {
  const now = () => RealDate.now() + wrongBy;
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (_date, values: unknown[], target) =>
      Reflect.construct(RealDate, values.length === 0 ? [now()] : values, target) as object,
    get: (_date, name) => (name === 'now' ? now : (Reflect.get(RealDate, name) as unknown)),
  });
}

type Call = (...args: unknown[]) => unknown;
type Methods = Record<string, Call>;

const folder = process.env.FAULTS_CONTROL ?? '';
const from = (library: string) => createRequire(new URL(`../../libs/${library}/package.json`, import.meta.url));
const kafkaJs = <T>(path: string) => from('messaging')(`kafkajs/src/${path}.js`) as T;
const ConnectionPool = kafkaJs<{ prototype: Methods }>('network/connectionPool');
const { Client } = from('database')('pg') as { Client: { prototype: Methods } };

/** The armed crash point. The test writes "<point> <occurrences until the crash>" to a file and sends SIGUSR2. */
let armed: { point: string; left: number } | null = null;
process.on('SIGUSR2', () => {
  const file = `${folder}/${process.pid}.crash`;
  const [point = '', left = '1'] = readFileSync(file, 'utf8').split(' ');
  armed = { point, left: Number(left) };
  // The test recognizes by the deleted file that the crash point is armed.
  unlinkSync(file);
});

function reached(point: string): void {
  if (armed?.point !== point) return;
  armed.left -= 1;
  if (armed.left <= 0) process.kill(process.pid, 'SIGKILL');
}

function decorate(
  methods: Methods,
  name: string,
  around: (original: Call) => (this: unknown, ...args: unknown[]) => unknown,
) {
  const original = methods[name] as Call;
  methods[name] = around(original);
}

// PostgreSQL: a transaction that wrote to the outbox is committed, but its caller does not know yet.
const publishing = new WeakSet<object>();
decorate(
  Client.prototype,
  'query',
  (query) =>
    function (this, ...args) {
      const client = this as object;
      const [first] = args as [string | { name?: string; text?: string; values?: unknown[] }];
      const { name, text = '', values } = typeof first === 'string' ? { text: first } : first;
      // The mail server has accepted a mail, and the result is about to be stored.
      if (name === 'mail-end') reached(`mail:${String(values?.[1])}`);
      if (/^\s*BEGIN/i.test(text)) publishing.delete(client);
      if (/insert\s+into\s+"?outbox"?\b/i.test(text)) publishing.add(client);
      const result = query.apply(this, args);
      if (text !== 'COMMIT' || !publishing.delete(client) || !(result instanceof Promise)) return result;
      return result.then((done: unknown) => {
        reached('commit');
        return done;
      });
    },
);

interface Request {
  apiName: string;
  /** Topics of the request; added by this module. */
  topics?: string[];
}

type Ask = Record<'topicData' | 'topics', { topic: string }[]>;
type Protocol = (options: unknown) => (ask: Ask) => { request: Request };

// Kafka: before records of a topic are sent and after the broker acknowledged them; before and after a consumer commits the offsets of a
// topic. The connection pool gets encoded requests, so their topics are noted earlier.
const POINTS = [
  { apiName: 'Produce', module: 'produce', field: 'topicData', before: 'send', after: 'publish' },
  { apiName: 'OffsetCommit', module: 'offsetCommit', field: 'topics', before: 'offsets', after: 'committed' },
] as const;
for (const { module, field } of POINTS) {
  decorate(kafkaJs<Methods>(`protocol/requests/${module}/index`), 'protocol', (protocol) => (options) => (ask: Ask) => {
    const made = (protocol as Protocol)(options)(ask);
    made.request.topics = ask[field].map(({ topic }) => topic);
    return made;
  });
}
decorate(
  ConnectionPool.prototype,
  'send',
  (send) =>
    async function (this, ...args) {
      const [{ request }] = args as [{ request: Request }];
      const point = POINTS.find(({ apiName }) => apiName === request.apiName);
      for (const topic of request.topics ?? []) reached(`${point?.before}:${topic}`);
      const answer = await (send.apply(this, args) as Promise<unknown>);
      for (const topic of request.topics ?? []) reached(`${point?.after}:${topic}`);
      return answer;
    },
);

// Network: a Kafka client gets the addresses of brokers from the brokers, so it can be routed through a proxy only here.
decorate(
  Socket.prototype as unknown as Methods,
  'connect',
  (connect) =>
    function (this, ...args) {
      const file = `${folder}/routes.json`;
      if (existsSync(file)) {
        const routes = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
        const [first] = args;
        const options = (Array.isArray(first) ? (first[0] as unknown) : first) as { port?: number };
        if (typeof first === 'number' || typeof first === 'string') args[0] = routes[first] ?? first;
        else if (options.port !== undefined) options.port = routes[options.port] ?? options.port;
      }
      return connect.apply(this, args);
    },
);
