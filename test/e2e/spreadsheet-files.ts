import type { ImportResult } from '@po/contracts';
import { parse } from 'csv-parse/sync';
import type { Answer, Api } from '../support/api-client.js';

export const CSV = { 'content-type': 'text/csv' };
export const XLSX = { 'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' };
const BOM = '\ufeff';

/** Exports orders to a file. Throws unless the status is 200. */
export async function exportFile(api: Api, query: string, language = 'en'): Promise<Answer<unknown>> {
  const answer = await api.get(`/purchase-order-exports?${query}`, undefined, { 'accept-language': language });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return answer;
}

/** The rows of a CSV file, the column labels first. */
const rowsOf = ({ text }: Answer<unknown>): string[][] => parse(text, { bom: true });

/** The lines of an order as CSV, changed by `change`, which maps a row, keyed by column label, to its changed cells. */
export async function editFile(
  api: Api,
  poRef: string,
  change: (row: Record<string, string>) => object,
  language?: string,
): Promise<string> {
  const [labels = [], ...rows] = rowsOf(await exportFile(api, `search=${poRef}&sortField=id`, language));
  const changed = rows.map((row) => {
    const named = Object.fromEntries(labels.map((label, index) => [label, row[index] ?? '']));
    return Object.values({ ...named, ...change(named) });
  });
  return BOM + [labels, ...changed].map((row) => `${row.join(',')}\r\n`).join('');
}

/** Imports a file into an order's lines. */
export const importInto = (
  api: Api,
  poRef: string,
  file: string | Buffer,
  { headers = CSV, query = '' }: { headers?: Record<string, string>; query?: string } = {},
): Promise<Answer<ImportResult>> => api.post(`/purchase-orders/${poRef}/line-items/import${query}`, file, headers);
