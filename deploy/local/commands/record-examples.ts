import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  ANY_ACTION_NAMES,
  type AnyAction,
  GROUPS,
  HEADERS,
  INVENTORY_TYPES,
  STATUS,
  STATUSES,
  TOPICS,
  deadLetterTopic,
} from '@po/contracts';
import { type IncomingRecord, connectKafka, readTopic } from '@po/messaging';
import { createLogger } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import { EXAMPLES, promiseExamples, readExamples, valueOf, writeExample } from '../example-messages.js';
import { type InventoryMessage, sendToInventory, upserted } from '../inventory-feed.js';
import { kafkaAt } from '../kafka-settings.js';
import { runningBrokers } from '../stack/running-stack.js';
import { runCommand } from './lifecycle.js';

const ARRIVAL_MS = 30_000;
/** The example whose dead letter is recorded. */
const REFUSED = `${TOPICS.inventory}/refused/two-rows-on-one-cell.json`;

type Upserted = (typeof INVENTORY_TYPES)['purchase-order.upserted']['_zod']['output'];

interface Recording {
  path: string;
  about: string;
  /** Whether a record of the topic is one; `value` is undefined where it is no JSON. */
  fits: (value: Record<string, unknown> | undefined, record: IncomingRecord) => boolean;
}

const nameOf = (text: string) => text.toLowerCase().replaceAll(/[ _]/g, '-');

const inventory = (type: string): Recording => ({
  path: `${TOPICS.inventory}/${type}.json`,
  about: `Sent by the inventory system: purchase-order.${type}.`,
  fits: (value, { headers }) => value !== undefined && headers[HEADERS.inventoryType] === `purchase-order.${type}`,
});

const TOLD: Record<AnyAction, string> = {
  IMPORT: 'The inventory system sent an order that was not there.',
  SUBMIT: 'The vendor answered; `changes` says where the answer is another than what was ordered.',
  APPROVE: 'Buyer and vendor agree; `agreed` says on what, to be written back.',
  REJECT: 'The buyer sent the answer back; the comment says why.',
  RECALL: 'Somebody took an order back that was answered, confirmed or in production: the vendor answers anew.',
  MOVE_TO_PRODUCTION: 'The vendor produces what was agreed.',
  MARK_SHIPPED:
    'The goods left; `changes` has container and tracking number, if they were entered since the last entry.',
  CONFIRM_DELIVERY: 'The goods arrived.',
  CANCEL: 'The buyer ended the order.',
  SOURCE_UPDATE: 'The inventory system changed the order, as `changes` says: the vendor answers anew.',
  SOURCE_CANCEL: 'The inventory system ended the order; its reason is the comment.',
  SOURCE_CONFLICT: 'The inventory system changed an order in production; its status stays, buyers decide.',
};

const transition = (action: AnyAction): Recording => ({
  path: `${TOPICS.transitions}/${nameOf(action)}.json`,
  about: TOLD[action],
  fits: (value) => value?.action === action,
});

const state = ({ statusId, status }: (typeof STATUSES)[number]): Recording => ({
  path: `${TOPICS.state}/${nameOf(status)}.json`,
  about: `A whole order in status ${status}.`,
  fits: (value) => value?.statusId === statusId,
});

const notification = (name: string, about: string, locale: string, action: AnyAction): Recording => ({
  path: `${TOPICS.notifications}/${name}.json`,
  about,
  fits: (value) => value?.locale === locale && value.action === action,
});

const RECORDINGS: readonly Recording[] = [
  inventory('upserted'),
  inventory('cancelled'),
  ...ANY_ACTION_NAMES.map(transition),
  ...STATUSES.map(state),
  notification('approved-for-vendor', 'To a user of the vendor, who reads Chinese.', 'zh', 'APPROVE'),
  notification('submitted-for-buyer', "To the order's buyer, who reads English.", 'en', 'SUBMIT'),
  {
    path: `${deadLetterTopic(GROUPS.inventory)}/two-rows-on-one-cell.json`,
    about: 'What the order service could not take in: the original record, with reason and origin in its headers.',
    fits: (_value, { headers }) => headers[HEADERS.deadLetterTopic] === TOPICS.inventory,
  },
];

/**
 * `npm run record-examples`: writes the examples that are not there yet, as the running stack with the demo orders produces them, and
 * promises every new one, also those written by hand. Never changes one.
 */
async function main(): Promise<number> {
  const missing = RECORDINGS.filter(({ path }) => !existsSync(join(EXAMPLES, path)));
  if (missing.length > 0) {
    await causeWhatDemoOrdersDoNot();
    for (const recording of missing) await record(recording);
  }
  const added = await promiseExamples();
  for (const path of added) process.stdout.write(`${path}\n`);
  process.stdout.write(`${added.length} examples added, ${readExamples().length} in all\n`);
  return 0;
}

async function record({ path, about, fits }: Recording): Promise<void> {
  const [topic = ''] = path.split('/');
  const { headers, key, value } = await eventually(
    `there is what ${path} is recorded from; "npm start" loads the demo orders`,
    async () => (await recordsOf(topic)).filter((each) => fits(jsonOf(each), each)).toSorted(better)[0],
    { timeoutMs: ARRIVAL_MS },
  );
  await writeExample(path, { about, headers, key: String(key), value: JSON.parse(String(value)) });
}

/** With what a vendor changed, on few rows, saying much; of equals the same one each time. */
function better(a: IncomingRecord, b: IncomingRecord): number {
  const [first, second] = [a, b].map((record) => rankOf(record));
  const decisive = first?.findIndex((rank, index) => rank !== second?.[index]) ?? -1;
  return (first?.[decisive] ?? 0) - (second?.[decisive] ?? 0) || String(a.key).localeCompare(String(b.key));
}

function rankOf(record: IncomingRecord): number[] {
  const { hasPendingChanges, changes, cells, lines, agreed } = jsonOf(record) ?? {};
  const rows = [cells, lines, (agreed as { lines?: unknown } | null)?.lines].find(Array.isArray) ?? [];
  return [hasPendingChanges || changes ? 0 : 1, rows.length, -(record.value?.length ?? 0)];
}

async function recordsOf(topic: string): Promise<IncomingRecord[]> {
  const logger = createLogger('examples', 'silent');
  const records: IncomingRecord[] = [];
  await readTopic(connectKafka(kafkaAt(runningBrokers()), 'examples', logger), topic, (each) => {
    records.push(each);
  });
  return records;
}

function jsonOf({ value }: IncomingRecord): Record<string, unknown> | undefined {
  try {
    return JSON.parse(String(value)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The inventory system changes an order on which both agreed and one in production, and sends something that nobody can handle. */
async function causeWhatDemoOrdersDoNot(): Promise<void> {
  const states = new Map((await recordsOf(TOPICS.state)).map((each) => [String(each.key), jsonOf(each)?.statusId]));
  const refused = readExamples().find(({ path }) => path === REFUSED)?.message;
  if (!refused) throw new Error(`${REFUSED} is missing`);
  const inStatus = (wanted: number) => [...states].find(([, statusId]) => statusId === wanted)?.[0];
  const changed = [STATUS.CONFIRMED, STATUS.IN_PRODUCTION].map((wanted) => changedOrder(inStatus(wanted)));
  const unusable: InventoryMessage = {
    type: 'purchase-order.upserted',
    poNumber: String(refused.key),
    value: valueOf(refused) ?? '',
  };
  await sendToInventory(runningBrokers(), [...(await Promise.all(changed)), unusable]);
}

/** The order as the inventory system sent it last, with more pieces of its first row. */
async function changedOrder(poNumber?: string): Promise<InventoryMessage> {
  const sent = (await recordsOf(TOPICS.inventory)).filter(({ key }) => String(key) === poNumber);
  const last = sent.map(jsonOf).findLast((value) => value && 'lines' in value) as Upserted | undefined;
  if (!last) throw new Error('there is no order to change: "npm start" loads the demo orders');
  const lines = last.lines.map((line, index) => (index === 0 ? { ...line, qty: line.qty + 60 } : line));
  const changed = { ...last, sourceRevision: last.sourceRevision + 1, lines };
  return upserted(changed);
}

await runCommand(main);
