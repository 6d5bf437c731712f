// Keeps a ledger of all purchase orders in one file: the status of each, and the amount on which buyer and vendor agreed. Starts from
// po.state.v1 and follows po.transitions.v1. May be killed at any time: ledger and positions are replaced as one.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Kafka, type KafkaMessage, logLevel } from 'kafkajs';

const { KAFKA_BROKERS = '127.0.0.1:9092', GROUP = 'example-typescript', LEDGER_FILE = 'ledger.json' } = process.env;
const [STATE, TRANSITIONS, DEAD_LETTERS] = ['po.state.v1', 'po.transitions.v1', `${GROUP}.dlq.v1`];
const STATUS_FIELDS: Record<string, string> = { 'po.state-changed.v1': 'statusId', 'po.transitioned.v1': 'toStatusId' };

/** Of each partition the next offset. */
type Positions = Record<number, string>;
type Orders = Record<string, { poVersion: number; statusId: number; currency: string; agreed: string | null }>;
type Ledger = { positions: Positions; orders: Orders };

const kafka = new Kafka({ brokers: KAFKA_BROKERS.split(','), connectionTimeout: 10_000, logLevel: logLevel.NOTHING });
const admin = kafka.admin();
const producer = kafka.producer({ allowAutoTopicCreation: false });

async function main(): Promise<void> {
  await Promise.all([admin.connect(), producer.connect()]);
  const configEntries = [{ name: 'max.message.bytes', value: String(10 * 1024 * 1024) }];
  await admin.createTopics({ topics: [{ topic: DEAD_LETTERS, numPartitions: 3, configEntries }], timeout: 30_000 });
  const first = await offsets(TRANSITIONS, 'low');
  let ledger: Ledger | null = existsSync(LEDGER_FILE) ? JSON.parse(readFileSync(LEDGER_FILE, 'utf8')) : null;
  if (ledger && isReached(ledger.positions, first)) {
    console.error(`goes on with ${Object.keys(ledger.orders).length} orders`);
  } else {
    // There is none, or transitions are gone that it never saw. They are read from the first on, not from now: else one that
    // happens while the states are read would be missing. What the states know already is dropped by its version.
    ledger = { positions: first, orders: {} };
    await read(ledger, STATE, await offsets(STATE, 'low'), await offsets(STATE, 'high'));
    save(ledger);
    console.error(`begins with ${Object.keys(ledger.orders).length} orders`);
  }
  await read(ledger, TRANSITIONS, ledger.positions);
}

/** What is not read here is not checked: fields, actions and statuses may be added without notice. */
function enter(orders: Orders, { headers, value }: KafkaMessage): void {
  const type = String(headers?.ce_type);
  const statusField = STATUS_FIELDS[type];
  if (!statusField) throw new Error(`unknown ce_type "${type}"`);
  const order = JSON.parse(String(value));
  const { poRef, poVersion, currency, agreed, [statusField]: statusId } = order;
  if (typeof poRef !== 'string' || !Number.isInteger(poVersion) || !Number.isInteger(statusId)) {
    throw new Error('poRef is no text, or version or status no integer');
  }
  const known = orders[poRef];
  // Everything comes at least once. Where no version is kept, as for a mail, a ce_id that was there before is dropped.
  if (known && poVersion <= known.poVersion) return;
  orders[poRef] = { poVersion, statusId, currency, agreed: agreed ? amountOf(agreed.lines) : (known?.agreed ?? null) };
}

/** Exact, as numbers are not: of ten thousandths. */
function amountOf(lines: { qty: number; unitPrice: number }[]): string {
  const sum = lines.reduce((so, { qty, unitPrice }) => so + BigInt(qty) * BigInt(Math.round(unitPrice * 10_000)), 0n);
  return `${sum / 10_000n}.${String(sum % 10_000n).padStart(4, '0')}`;
}

/** Out of the way of what comes after it, and not lost: it is stored before the position is. */
async function setAside(topic: string, partition: number, message: KafkaMessage, reason: string): Promise<void> {
  const { key, value, headers, offset } = message;
  const origin = { 'x-dlq-topic': topic, 'x-dlq-partition': String(partition), 'x-dlq-offset': offset };
  const letter = { key, value, headers: { ...headers, ...origin, 'x-dlq-reason': reason.slice(0, 1000) } };
  await producer.send({ topic: DEAD_LETTERS, messages: [letter] });
  console.error(`set aside ${topic}/${partition}/${offset}: ${reason}`);
}

/** Enters what comes from these positions on, and moves them: to the ends, or for ever, storing both. */
async function read(ledger: Ledger, topic: string, positions: Positions, ends?: Positions): Promise<void> {
  const consumer = kafka.consumer({ groupId: `${GROUP}.${topic}`, sessionTimeout: 6_000 });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  consumer.on('consumer.crash', ({ payload }) => payload.restart || reject(payload.error));
  // Who leaves is not waited for when the next one comes.
  if (!ends) process.once('SIGTERM', resolve);
  const resolveAtEnd = () => ends && isReached(positions, ends) && resolve();
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch: { partition, messages } }) => {
      for (const message of messages) {
        // KafkaJS knows no positions but its group's, and begins with those until it is told.
        if (BigInt(message.offset) < BigInt(positions[partition] ?? 0)) continue;
        try {
          enter(ledger.orders, message);
        } catch (error) {
          // It asks nobody: whatever is wrong, is wrong with the record.
          await setAside(topic, partition, message, String(error));
        }
        positions[partition] = String(BigInt(message.offset) + 1n);
      }
      if (!ends) save(ledger);
      resolveAtEnd();
    },
  });
  for (const [partition, offset] of Object.entries(positions))
    consumer.seek({ topic, partition: Number(partition), offset });
  resolveAtEnd();
  await promise.finally(() => consumer.disconnect());
}

async function offsets(topic: string, which: 'low' | 'high'): Promise<Positions> {
  return Object.fromEntries((await admin.fetchTopicOffsets(topic)).map((each) => [each.partition, each[which]]));
}

const isReached = (positions: Positions, wanted: Positions): boolean =>
  Object.entries(wanted).every(([partition, offset]) => BigInt(positions[Number(partition)] ?? -1) >= BigInt(offset));

function save(ledger: Ledger): void {
  writeFileSync(`${LEDGER_FILE}.new`, JSON.stringify(ledger), { flush: true });
  renameSync(`${LEDGER_FILE}.new`, LEDGER_FILE);
}

await main().catch((error) => {
  console.error(`Kafka at ${KAFKA_BROKERS}: ${error.message}`);
  process.exitCode = 1;
});
process.exit();
