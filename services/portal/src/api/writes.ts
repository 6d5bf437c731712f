import { type PurchaseOrderClient, type components, ApiProblem } from '@po/client';
import { type OrdersQuery, type Preferences, versioned } from './schemas.js';

type Schemas = components['schemas'];
export type FileFormat = 'csv' | 'xlsx';
export type ImportResult = Schemas['ImportResult'];

export interface ExportFile {
  name: string;
  type: string;
  content: ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

export interface ImportFile {
  content: Blob;
  format: FileFormat;
}

/** Without a connection a write fails at once, instead of being done later, unseen. The client tries again by itself. */
export const WRITE_OPTIONS = { retry: false, networkMode: 'always' } as const;

/** Makes a write conditional on the version that its user looked at: where the order moved on since, it is refused with 412. */
export const onVersion = (version: number) => ({ 'If-Match': `"${version}"` });

/** What may be done through the API. Each resolves for a success alone and throws ApiProblem otherwise; `version` is the order's. */
export const writesOf = (client: PurchaseOrderClient) => ({
  updateOrder: async (poRef: string, version: number, body: Schemas['HeaderPatch']) =>
    (await client.PATCH('/purchase-orders/{poRef}', { params: { path: { poRef } }, headers: onVersion(version), body }))
      .data,

  /** At most 1,000 rows, all or none of them. */
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

  /** `id`: of one, or `all`. */
  markRead: async (id: string) => client.PUT('/notifications/{id}/read', { params: { path: { id } } }),

  /** A file of the orders, or their rows, that a list would have without its pages; a stream that breaks off is no file. */
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
    return { name: name ?? `purchase-orders.${format}`, type: headers.get('content-type') ?? '', content: data };
  },
});

export type Writes = ReturnType<typeof writesOf>;

/** Whether a write was refused because the order moved on since it was looked at. */
export const isOutdated = (error: unknown): boolean => error instanceof ApiProblem && error.status === 412;
