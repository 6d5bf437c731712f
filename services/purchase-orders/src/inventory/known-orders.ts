import { STATUS, type PurchaseOrderUpserted } from '@po/contracts';
import type { Send, Statement } from '@po/database';

/** Key values of a stored order; for a new order, only its future id. */
export interface KnownOrder {
  id: number;
  vendorCode: string | null;
  sourceRevision: number | null;
}

interface Row {
  poNumber: string;
  id: string;
  vendorCode: string | null;
  sourceRevision: string | null;
}

const FIND: Statement = {
  name: 'known-orders',
  text: `SELECT n.po_number AS "poNumber", coalesce(o.id, nextval('purchase_orders_id_seq')) AS id,
                o.vendor_code AS "vendorCode", o.source_revision AS "sourceRevision"
           FROM unnest($1::text[]) AS n(po_number) LEFT JOIN purchase_orders o ON o.po_number = n.po_number`,
};

/** Known orders by PO number. Assigns an id to each new number. */
export async function knownOrders(send: Send, poNumbers: readonly string[]): Promise<Map<string, KnownOrder>> {
  const rows = await send<Row>(FIND, [poNumbers]);
  return new Map(
    rows.map(({ poNumber, id, vendorCode, sourceRevision }) => [
      poNumber,
      { id: Number(id), vendorCode, sourceRevision: sourceRevision === null ? null : Number(sourceRevision) },
    ]),
  );
}

const LAST_DIGEST: Statement = {
  name: 'last-digest',
  text: 'SELECT source_digest AS digest FROM purchase_orders WHERE po_number = $1',
};

// By the service's clock, like every other write. Replica clocks differ, and the time of an order's last message must not go back.
// A digest belongs to the last message only if it contains that message's revision.
const RECORD_REPETITIONS: Statement = {
  name: 'record-repetitions',
  text: `UPDATE purchase_orders o
            SET source_revision = n.revision, source_digest = n.revision || '/' || n.content,
                last_synced_at = greatest(o.last_synced_at, $6::timestamptz)
           FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[])
                AS n(po_number, revision, content, vendor_code, vendor_name)
          WHERE o.po_number = n.po_number AND o.source_revision < n.revision
            AND o.source_digest = o.source_revision || '/' || n.content AND o.status_id <> ${STATUS.CANCELLED}
            AND EXISTS (SELECT FROM vendors v WHERE v.code = n.vendor_code AND v.name = n.vendor_name)
          RETURNING o.po_number AS "poNumber"`,
};

/** The stored digest of an order's last message. */
export async function lastDigest(send: Send, poNumber: string): Promise<string | null> {
  const [row] = await send<{ digest: string | null }>(LAST_DIGEST, [poNumber]);
  return row?.digest ?? null;
}

/** Stores the revisions of snapshots that equal the last message of their order. Returns the PO numbers of these orders. */
export async function recordRepetitions(
  send: Send,
  arrivals: readonly { snapshot: PurchaseOrderUpserted; contentHash: string }[],
): Promise<Set<string>> {
  const snapshots = arrivals.map(({ snapshot }) => snapshot);
  const rows = await send<{ poNumber: string }>(RECORD_REPETITIONS, [
    snapshots.map(({ poNumber }) => poNumber),
    snapshots.map(({ sourceRevision }) => sourceRevision),
    arrivals.map(({ contentHash }) => contentHash),
    snapshots.map(({ vendor }) => vendor.code),
    snapshots.map(({ vendor }) => vendor.name),
    new Date().toISOString(),
  ]);
  return new Set(rows.map(({ poNumber }) => poNumber));
}
