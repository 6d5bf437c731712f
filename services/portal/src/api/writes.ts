import { type PurchaseOrderClient, type components, ApiProblem } from '@po/client';
import { type OrdersQuery, type Preferences, versioned } from './schemas.js';

type Schemas = components['schemas'];
export type FileFormat = 'csv' | 'xlsx';
export type ImportResult = Schemas['ImportResult'];

export interface ExportFile {
  name: string;
  type: string;
  content: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  /** Number of rows below the labels; NaN if the answer does not say. */
  rows: number;
}

export interface ImportFile {
  content: Blob;
  format: FileFormat;
}

/** Offline, a write fails at once instead of running later unnoticed. The client has its own retries. */
export const WRITE_OPTIONS = { retry: false, networkMode: 'always' } as const;

/** Makes a write conditional on the version that the user saw: if the order has changed since, the API answers 412. */
export const onVersion = (version: number) => ({ 'If-Match': `"${version}"` });

/** Writes to the API. Each resolves only on success and throws ApiProblem otherwise; `version` is the order's version. */
export const writesOf = (client: PurchaseOrderClient) => ({
  updateOrder: async (poRef: string, version: number, body: Schemas['HeaderPatch']) =>
    (await client.PATCH('/purchase-orders/{poRef}', { params: { path: { poRef } }, headers: onVersion(version), body }))
      .data,

  /** Saves at most 1,000 rows, all or none. */
  updateLines: async (poRef: string, version: number, lines: Schemas['LinePatch'][]) =>
    versioned(
      await client.PATCH('/purchase-orders/{poRef}/line-items', {
        params: { path: { poRef } },
        headers: onVersion(version),
        body: { lines },
      }),
    ),

  replacePreferences: async (version: number, body: Preferences) =>
    versioned(await client.PUT('/me/preferences', { headers: onVersion(version), body })),

  /** `id`: the id of a notification, or `all`. */
  markRead: async (id: string) => client.PUT('/notifications/{id}/read', { params: { path: { id } } }),

  /** A file of all orders that match the filters, or of their lines, without paging. If its stream breaks off, the file is unusable. */
  exportOrders: async (
    { limit: _limit, page: _page, ...filters }: OrdersQuery,
    { format, level }: { format: FileFormat; level: 'lines' | 'orders' },
    signal: AbortSignal,
  ): Promise<ExportFile> => {
    const { data, response } = await client.GET('/purchase-order-exports', {
      params: { query: { ...filters, format, level } },
      parseAs: 'stream',
      signal,
    });
    const { headers } = response;
    const name = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];
    const rows = Number(headers.get('x-total-count') ?? NaN);
    return { name: name ?? `purchase-orders.${format}`, type: headers.get('content-type') ?? '', content: data, rows };
  },
});

export type Writes = ReturnType<typeof writesOf>;

/** Whether a write was refused because the data changed since the user read it. */
export const isOutdated = (error: unknown): boolean => error instanceof ApiProblem && error.status === 412;
