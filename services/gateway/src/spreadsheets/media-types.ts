import type { ExportFormat } from '@po/contracts';

/** Media types by file name extension. */
export const MEDIA_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>;

/** `Content-Type` of a response by file name extension. */
export const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: `${MEDIA_TYPES.csv}; charset=utf-8`,
  xlsx: MEDIA_TYPES.xlsx,
};
