import { STATUS, type PurchaseOrderUpserted } from '@po/contracts';
import type { Send, Statement } from '@po/database';

/** What is stored of an order; its id alone, of an order that will be new. */
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

/** What is known of each of these numbers, by number. */
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

// Milliseconds, as every other write stores: the stamp of what is kept of the order has no more, and with more would never be the row's.
// A digest is of the last message only with that one's revision.
const NOTE: Statement = {
  name: 'note-repetitions',
  text: `UPDATE purchase_orders o
            SET source_revision = n.revision, source_digest = n.revision || '/' || n.content, last_synced_at = date_trunc('milliseconds', now())
           FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[])
                AS n(po_number, revision, content, vendor_code, vendor_name)
          WHERE o.po_number = n.po_number AND o.source_revision < n.revision
            AND o.source_digest = o.source_revision || '/' || n.content AND o.status_id <> ${STATUS.CANCELLED}
            AND EXISTS (SELECT FROM vendors v WHERE v.code = n.vendor_code AND v.name = n.vendor_name)
          RETURNING o.po_number AS "poNumber"`,
};

/** The digest that an order keeps. */
export async function lastDigest(send: Send, poNumber: string): Promise<string | null> {
  const [row] = await send<{ digest: string | null }>(LAST_DIGEST, [poNumber]);
  return row?.digest ?? null;
}

/** Notes the revisions of snapshots that repeat, word for word, what the source said last of their orders. Answers their numbers. */
export async function noteRepetitions(
  send: Send,
  arrivals: readonly { snapshot: PurchaseOrderUpserted; contentHash: string }[],
): Promise<Set<string>> {
  const snapshots = arrivals.map(({ snapshot }) => snapshot);
  const rows = await send<{ poNumber: string }>(NOTE, [
    snapshots.map(({ poNumber }) => poNumber),
    snapshots.map(({ sourceRevision }) => sourceRevision),
    arrivals.map(({ contentHash }) => contentHash),
    snapshots.map(({ vendor }) => vendor.code),
    snapshots.map(({ vendor }) => vendor.name),
  ]);
  return new Set(rows.map(({ poNumber }) => poNumber));
}
