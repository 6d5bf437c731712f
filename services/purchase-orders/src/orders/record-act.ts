import { type Send, type Statement, insertRows, overwriting, rowParameters } from '@po/database';
import { insertOutboxEntry, outboxValues } from '@po/messaging';
import { CommandEntity } from '../idempotency/command.entity.js';
import { CellEntity } from '../store/cell.entity.js';
import { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { OrderEntity } from '../store/order.entity.js';
import { type Act, type Creation, creationOf } from './act.js';
import { publicationOf } from './publication.js';

const OUTBOX = 4;
const ENTRY = rowParameters(HistoryEntryEntity, 9);
const ANSWER = rowParameters(CommandEntity, ENTRY.next);
const ORDER = rowParameters(OrderEntity, ANSWER.next, ['id', 'searchText', 'createdAt']);

// One statement, so that every part hangs on the first: an order that is no longer at the version which the act was derived from lets
// nothing of it be stored. A part without a row adds nothing.
const record = (name: string, stored: string): Statement => ({
  name,
  rows: 1,
  text: `WITH stored AS (
    ${stored}
  ), cells_written AS (
    ${insertRows(CellEntity, '$3', { from: 'stored' })} ${overwriting(CellEntity, ['orderId', 'rowHash'])}
  ), outbox_entry AS (
    ${insertOutboxEntry(OUTBOX, 'stored')}
  ), entry AS (
    INSERT INTO history (${ENTRY.columns.join(', ')})
    SELECT ${ENTRY.parameters.join(', ')} FROM stored WHERE ${ENTRY.parameters[0]} IS NOT NULL
  ), answer AS (
    INSERT INTO command_log (${ANSWER.columns.join(', ')})
    SELECT ${ANSWER.parameters.join(', ')} FROM stored WHERE ${ANSWER.parameters[0]} IS NOT NULL
    ${overwriting(CommandEntity, ['keyHash'])}
  )
  SELECT id FROM stored`,
});

const RECORD_CHANGE = record(
  'record-change',
  `UPDATE purchase_orders
      SET (${ORDER.columns.join(', ')}) = ROW(${ORDER.parameters.join(', ')}),
          search_text = coalesce($${ORDER.next}::text, search_text)
    WHERE id = $1 AND version = $2 RETURNING id`,
);
const RECORD_CREATION = record('record-creation', 'SELECT id FROM purchase_orders WHERE id = $1 AND version = $2');

// A unique violation would count as bad content; losing the race to create an order is a reason to try again.
const CREATE: Statement = {
  name: 'create-order',
  rows: 1,
  text: `${insertRows(OrderEntity, '$1', { without: ['id'] })} ON CONFLICT DO NOTHING RETURNING id`,
};

/** What is stored beside the act itself. */
export interface Recording {
  traceparent: string;
  /** The answer that the act's idempotency key is remembered for; null for what the inventory system caused. */
  answer: CommandEntity | null;
}

/**
 * Records the act on an order of this version: the order, its changed cells, its history entry, one outbox row and the answer. Rejects
 * when the order is at another version; the transaction must then be tried anew.
 */
export function recordAct(send: Send, act: Act, version: number, recording: Recording): Promise<unknown> {
  return send(RECORD_CHANGE, [act.order.id, version, ...partsOf(act, recording), ...orderValues(act)]);
}

/** Creates the order of the change, with all that an act leaves. Rejects when somebody else created it; then try the transaction anew. */
export async function recordCreation(send: Send, change: Creation, traceparent: string): Promise<Act> {
  const { row, searchText } = creationOf(0, change);
  const [created] = await send<{ id: number }>(CREATE, [JSON.stringify([{ ...row, searchText }])]);
  const act = creationOf(created?.id ?? 0, change);
  void send(RECORD_CREATION, [act.order.id, act.order.version, ...partsOf(act, { traceparent, answer: null })]);
  return act;
}

/** Stores what the inventory system sent last where nothing that people see has changed: nothing is published. */
export function recordSync(send: Send, sync: Act): Promise<unknown> {
  const { id, version } = sync.order;
  return send(RECORD_CHANGE, [id, version, ...partsOf(sync, null), ...orderValues(sync)]);
}

const orderValues = ({ row, searchText }: Act): unknown[] => [...ORDER.values(row), searchText];

/** Without a recording nothing is published or answered. */
function partsOf(act: Act, recording: Recording | null): unknown[] {
  const { order, entry, cells } = act;
  const outbox = recording && {
    key: order.poNumber,
    version: order.version,
    messages: publicationOf(act),
    traceparent: recording.traceparent,
  };
  const answer = recording?.answer ?? null;
  return [JSON.stringify(cells), ...outboxValues(outbox), ...ENTRY.values(entry), ...ANSWER.values(answer)];
}
