import type { Send } from '@po/database';

const LOCK_CLASS = 3;

/**
 * Lets one transaction at a time take in what the source says of a PO number, also while no such order exists that could be
 * locked. The first statement of an ingestion.
 */
export async function lockReference(send: Send, poNumber: string): Promise<void> {
  await send('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [poNumber, LOCK_CLASS]);
}

/** The revision at which the source cancelled an order that had not arrived, or null. */
export async function cancelledRevision(send: Send, poNumber: string): Promise<number | null> {
  const [row] = await send<{ revision: string }>(
    'SELECT source_revision AS revision FROM source_cancellations WHERE po_number = $1',
    [poNumber],
  );
  return row ? Number(row.revision) : null;
}

/** Remembers the newest cancellation of an order that has not arrived. */
export async function rememberCancellation(send: Send, poNumber: string, sourceRevision: number): Promise<void> {
  await send(
    `INSERT INTO source_cancellations (po_number, source_revision) VALUES ($1, $2)
     ON CONFLICT (po_number) DO UPDATE
       SET source_revision = greatest(source_cancellations.source_revision, excluded.source_revision)`,
    [poNumber, sourceRevision],
  );
}
