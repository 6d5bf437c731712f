import type { Send, Statement } from '@po/database';
import { LOCKS } from '../store/locks.js';

// Sorted as locks.ts says.
const LOCK_REFERENCES: Statement = {
  name: 'lock-references',
  text: `SELECT pg_advisory_xact_lock(key)
           FROM (SELECT DISTINCT hashtextextended(po_number, ${LOCKS.reference}) AS key FROM unnest($1::text[]) AS n(po_number)
                  ORDER BY key) AS ordered`,
};

/**
 * Serializes the transactions that apply source messages for these PO numbers, even while there is no order row to lock. Must be the first
 * statement of an ingestion.
 */
export async function lockReferences(send: Send, poNumbers: readonly string[]): Promise<void> {
  await send(LOCK_REFERENCES, [poNumbers]);
}

const CANCELLED: Statement = {
  name: 'source-cancellations',
  text: `SELECT po_number AS "poNumber", source_revision AS revision FROM source_cancellations WHERE po_number = ANY ($1::text[])`,
};

/** Revisions at which the source cancelled orders before they arrived, by PO number. */
export async function cancelledRevisions(send: Send, poNumbers: readonly string[]): Promise<Map<string, number>> {
  const rows = await send<{ poNumber: string; revision: string }>(CANCELLED, [poNumbers]);
  return new Map(rows.map(({ poNumber, revision }) => [poNumber, Number(revision)]));
}

/** Saves the newest cancellation of an order that has not arrived. */
export async function saveCancellation(send: Send, poNumber: string, sourceRevision: number): Promise<void> {
  await send(
    `INSERT INTO source_cancellations (po_number, source_revision) VALUES ($1, $2)
     ON CONFLICT (po_number) DO UPDATE
       SET source_revision = greatest(source_cancellations.source_revision, excluded.source_revision)`,
    [poNumber, sourceRevision],
  );
}
