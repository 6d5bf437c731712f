// Loaded into every service of this tier by `--import`, before its own code; Node strips the types. It decorates the libraries that
// the services talk to their stores with, so that no product code knows of it.
import { existsSync, readFileSync, unlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';

// A clock that is wrong by so many milliseconds.
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

/** What is waited for, as "<point> <occurrences until the crash>"; the test writes it and sends SIGUSR2. */
let armed: { point: string; left: number } | null = null;
process.on('SIGUSR2', () => {
  const file = `${folder}/${process.pid}.crash`;
  const [point = '', left = '1'] = readFileSync(file, 'utf8').split(' ');
  armed = { point, left: Number(left) };
  // Its absence tells the test that the crash is armed.
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

// PostgreSQL: a transaction that wrote to the outbox is committed, and nobody knows yet.
const publishing = new WeakSet<object>();
decorate(
  Client.prototype,
  'query',
  (query) =>
    function (this, ...args) {
      const client = this as object;
      const [first] = args as [string | { name?: string; text?: string; values?: unknown[] }];
      const { name, text = '', values } = typeof first === 'string' ? { text: first } : first;
      // The mail server has accepted a mail, which is about to be stored.
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
  /** Added here: those that it is about. */
  topics?: string[];
}

type Ask = Record<'topicData' | 'topics', { topic: string }[]>;
type Protocol = (options: unknown) => (ask: Ask) => { request: Request };

// Kafka: records of a topic are about to be sent, or the broker has acknowledged them; a consumer is about to commit the offsets of a
// topic, or has. What is sent is encoded already, so its topics are noted before.
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

// Network: a Kafka client learns the broker's address from the broker, so this is where it can be led through a proxy.
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
