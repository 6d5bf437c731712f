// Maintains a ledger of all purchase orders in one file: the status of each, and the amount on which buyer and vendor agreed. Starts from
// po.state.v1 and follows po.transitions.v1. May be killed at any time: ledger and positions are replaced atomically.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Admin, Consumer, ListOffsetTimestamps, type Message, Producer } from '@platformatic/kafka';
import { stringDeserializer, stringSerializer } from '@platformatic/kafka';

const { KAFKA_BROKERS = '127.0.0.1:9092', GROUP = 'example-typescript', LEDGER_FILE = 'ledger.json' } = process.env;
const [STATE, TRANSITIONS, DEAD_LETTERS] = ['po.state.v1', 'po.transitions.v1', `${GROUP}.dlq.v1`];
const STATUS_FIELDS: Record<string, string> = { 'po.state-changed.v1': 'statusId', 'po.transitioned.v1': 'toStatusId' };

/** Next offset by partition. */
type Positions = Record<number, string>;
type Orders = Record<string, { poVersion: number; statusId: number; currency: string; agreed: string | null }>;
type Ledger = { positions: Positions; orders: Orders };
type Incoming = Message<Buffer, Buffer, string, Buffer>;

const kafka = { clientId: GROUP, bootstrapBrokers: KAFKA_BROKERS.split(','), connectTimeout: 10_000 };
const member = { groupId: GROUP, sessionTimeout: 6_000, rebalanceTimeout: 6_000 };
const admin = new Admin(kafka);
const consumer = new Consumer({ ...kafka, ...member, deserializers: { headerKey: stringDeserializer } });
const producer = new Producer({ ...kafka, serializers: { headerKey: stringSerializer } });

async function main(): Promise<void> {
  const configs = [{ name: 'max.message.bytes', value: String(10 * 1024 * 1024) }];
  await admin.createTopics({ topics: [DEAD_LETTERS], partitions: 3, configs }).catch((error) => {
    if (!error.findBy?.('apiId', 'TOPIC_ALREADY_EXISTS')) throw error;
  });
  const first = await offsets(TRANSITIONS, ListOffsetTimestamps.EARLIEST);
  let ledger: Ledger | null = existsSync(LEDGER_FILE) ? JSON.parse(readFileSync(LEDGER_FILE, 'utf8')) : null;
  const end = await offsets(TRANSITIONS, ListOffsetTimestamps.LATEST);
  if (ledger && isReached(ledger.positions, first) && isReached(end, ledger.positions)) {
    console.error(`goes on with ${Object.keys(ledger.orders).length} orders`);
  } else {
    // There is no ledger, it missed transitions that were deleted, or the topic is a new one. Reads transitions from the first available
    // one: starting now would miss those that happen while the states are read. Those already in the states are dropped by version.
    ledger = { positions: first, orders: {} };
    const [begin, ends] = [ListOffsetTimestamps.EARLIEST, ListOffsetTimestamps.LATEST];
    await read(ledger, STATE, await offsets(STATE, begin), await offsets(STATE, ends));
    save(ledger);
    console.error(`begins with ${Object.keys(ledger.orders).length} orders`);
  }
  await read(ledger, TRANSITIONS, ledger.positions);
}

/** Ignores all other fields: fields, actions and statuses may be added without notice. */
function enter(orders: Orders, { headers, value }: Incoming): void {
  const type = String(headers.get('ce_type'));
  const statusField = STATUS_FIELDS[type];
  if (!statusField) throw new Error(`unknown ce_type "${type}"`);
  const order = JSON.parse(String(value));
  const { poRef, poVersion, currency, agreed, [statusField]: statusId } = order;
  if (typeof poRef !== 'string' || !Number.isInteger(poVersion) || !Number.isInteger(statusId)) {
    throw new Error('poRef is not text, or version or status is not an integer');
  }
  const known = orders[poRef];
  // Records are delivered at least once. A consumer without versions drops records with a known ce_id. After a restore: see the README.
  if (known && poVersion <= known.poVersion) return;
  orders[poRef] = { poVersion, statusId, currency, agreed: agreed ? amountOf(agreed.lines) : (known?.agreed ?? null) };
}

/** Exact, unlike floating point: sums ten-thousandths. */
function amountOf(lines: { qty: number; unitPrice: number }[]): string {
  const sum = lines.reduce((so, { qty, unitPrice }) => so + BigInt(qty) * BigInt(Math.round(unitPrice * 10_000)), 0n);
  return `${sum / 10_000n}.${String(sum % 10_000n).padStart(4, '0')}`;
}

/** Copies a bad record to the dead-letter topic, so that it neither blocks later records nor is lost: stored before the position is. */
async function setAside({ topic, partition, offset, key, value, headers }: Incoming, reason: string): Promise<void> {
  const letter = new Map(headers);
  const origin = { topic, partition, offset, reason: reason.slice(0, 1000) };
  for (const [name, text] of Object.entries(origin)) letter.set(`x-dlq-${name}`, Buffer.from(String(text)));
  await producer.send({ messages: [{ topic: DEAD_LETTERS, key, value, headers: letter }] });
  console.error(`set aside ${topic}/${partition}/${offset}: ${reason}`);
}

/** Processes records from these positions on and advances the positions: up to `ends`, or forever, then saving both. */
async function read(ledger: Ledger, topic: string, positions: Positions, ends?: Positions): Promise<void> {
  if (ends && isReached(positions, ends)) return;
  const next = Object.entries(positions);
  const from = next.map(([partition, offset]) => ({ topic, partition: Number(partition), offset: BigInt(offset) }));
  // Fails if transitions were deleted before this program read them: it then starts over at its next start.
  const start = { mode: 'manual', fallbackMode: 'fail', offsets: from } as const;
  const stream = await consumer.consume({ topics: [topic], autocommit: false, ...start });
  // Leaves the group, so that the next instance does not have to wait for this one.
  if (!ends) process.once('SIGTERM', () => void stream.close());
  for await (const message of stream) {
    const { partition, offset } = message;
    try {
      enter(ledger.orders, message);
    } catch (error) {
      // `enter` uses no external system, so any error is caused by the record.
      await setAside(message, String(error));
    }
    positions[partition] = String(offset + 1n);
    if (ends && isReached(positions, ends)) break;
    if (!ends && (stream.readableLength === 0 || offset % 500n === 0n)) save(ledger);
  }
}

async function offsets(topic: string, timestamp: bigint): Promise<Positions> {
  const listed = (await consumer.listOffsets({ topics: [topic], timestamp })).get(topic) ?? [];
  return Object.fromEntries(listed.map((offset, partition) => [partition, String(offset)]));
}

const isReached = (positions: Positions, wanted: Positions): boolean =>
  Object.entries(wanted).every(([partition, offset]) => BigInt(positions[Number(partition)] ?? -1) >= BigInt(offset));

function save(ledger: Ledger): void {
  writeFileSync(`${LEDGER_FILE}.new`, JSON.stringify(ledger), { flush: true });
  renameSync(`${LEDGER_FILE}.new`, LEDGER_FILE);
}

await main()
  .then(() => consumer.close(true))
  .catch((error) => {
    console.error(`Kafka at ${KAFKA_BROKERS}: ${error}`);
    process.exitCode = 1;
  });
process.exit();
