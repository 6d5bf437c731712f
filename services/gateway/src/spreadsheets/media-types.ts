import type { ExportFormat } from '@po/contracts';

/** The kinds of files, by the end of their names. */
export const MEDIA_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>;

/** As they are written into an answer. */
export const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: `${MEDIA_TYPES.csv}; charset=utf-8`,
  xlsx: MEDIA_TYPES.xlsx,
};
