import type { PurchaseOrderClient } from '@po/client';
import { type Versioned, versioned } from './schemas.js';
import { type ImportFile, type ImportResult, onVersion } from './writes.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Apart from `writesOf`, which is in the first load: only the page of imports does these. */
export const importsOf = (client: PurchaseOrderClient) => ({
  /** What a file would change, and in which version of the order; nothing is changed. */
  preview: (poRef: string, file: ImportFile, signal: AbortSignal) =>
    // Of whatever version it has now: the one that a list showed may be older.
    importInto(client, { poRef, file, dryRun: true, headers: { 'If-Match': '*' }, signal }),

  /** All of it or nothing. With the same `key` the same file has one effect, however often it is sent. */
  importLines: (poRef: string, version: number, file: ImportFile, key: string) =>
    importInto(client, { poRef, file, dryRun: false, headers: { ...onVersion(version), 'Idempotency-Key': key } }),
});

async function importInto(
  client: PurchaseOrderClient,
  request: { poRef: string; file: ImportFile; dryRun: boolean; headers: Record<string, string>; signal?: AbortSignal },
): Promise<Versioned<ImportResult>> {
  const { poRef, file, dryRun, headers, signal } = request;
  return versioned(
    await client.POST('/purchase-orders/{poRef}/line-items/import', {
      params: { path: { poRef }, query: { dryRun } },
      headers: { ...headers, 'Content-Type': file.format === 'csv' ? 'text/csv' : XLSX },
      body: file.content,
      ...(signal && { signal }),
    }),
  );
}
