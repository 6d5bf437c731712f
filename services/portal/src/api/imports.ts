import type { PurchaseOrderClient } from '@po/client';
import { type Versioned, versioned } from './schemas.js';
import { type ImportFile, type ImportResult, onVersion } from './writes.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Separate from `writesOf`, which is in the first load: only the import page needs these. */
export const importsOf = (client: PurchaseOrderClient) => ({
  /** Reports what a file would change, and the version of the order, without changing it. */
  preview: (poRef: string, file: ImportFile, signal: AbortSignal) =>
    // Any version: the one that a list showed may be outdated.
    importInto(client, { poRef, file, dryRun: true, headers: { 'If-Match': '*' }, signal }),

  /** Imports all lines or none. Retries with the same `key` and file have one effect. */
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
