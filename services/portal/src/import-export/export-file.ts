import { dictionary } from '../language/dictionary.js';
import { notifications } from '@mantine/notifications';
import { ApiProblem } from '@po/client';
import type { OrdersQuery } from '../api/schemas.js';
import type { ExportFile, FileFormat, Writes } from '../api/writes.js';
import { reasonOf } from '../components/loading-and-errors/problem-kind.js';
import { STATES } from '../components/loading-and-errors/texts.js';
import type { Language } from '../language/dictionary.js';
import { FORMATS } from '../language/formats.js';

const EXPORT_FILE = dictionary({
  done: (name: string) => [`Downloaded: ${name}`, `${name} 已下载`],
  failed: ['The export failed', '导出失败'],
  tooLarge: (rows: string, limit: string) => [
    `The file would have ${rows} rows; the limit is ${limit}. Narrow the filters, or export one row per order.`,
    `文件将有 ${rows} 行，最多允许 ${limit} 行。请缩小筛选范围，或按每个订单一行导出。`,
  ],
});

/** Safari reads the file only after the click, on a phone after a question to the user. */
const READ_AFTER_CLICK_MS = 60_000;
/** Ends each row, with a line feed. A line break within a cell is usually only a line feed. */
const CARRIAGE_RETURN = 13;

export interface FileRequest {
  query: OrdersQuery;
  format: FileFormat;
  level: 'orders' | 'lines';
  name?: string;
}

/** Exports orders to a file, downloads it and reports the result. `received`: called with the number of bytes so far. */
export async function exportFile(
  { query, format, level, name }: FileRequest,
  writes: Writes,
  language: Language,
  { signal, received }: { signal: AbortSignal; received: (bytes: number) => void },
): Promise<void> {
  const texts = EXPORT_FILE[language];
  try {
    const file = await writes.exportOrders(query, { format, level }, signal);
    const content = await contentOf(file, received);
    const saved = name === undefined ? file.name : `${name}.${format}`;
    save(saved, content);
    notifications.show({ message: texts.done(saved) });
  } catch (error) {
    if (signal.aborted) return;
    notifications.show({
      color: 'red',
      title: texts.failed,
      message: messageOf(error, language),
      autoClose: false,
    });
  }
}

/** Rejects if the stream breaks off. HTTP/1.0 proxies hide this: then a CSV has too few rows, and programs refuse a workbook. */
async function contentOf({ content, type, rows }: ExportFile, received: (bytes: number) => void): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = content?.getReader();
  let ends = 0;
  for (let bytes = 0; reader; received(bytes)) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- a stream is read sequentially
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    bytes += value.byteLength;
    for (const byte of value) if (byte === CARRIAGE_RETURN) ends += 1;
  }
  if (type.startsWith('text/csv') && ends <= rows) throw new TypeError('network error: rows are missing');
  return new Blob(parts, { type });
}

function messageOf(error: unknown, language: Language): string {
  const { document, requestId } = error instanceof ApiProblem ? error : { document: null, requestId: null };
  const rows = document?.rows;
  const limit = document?.limit;
  if (document?.code === 'EXPORT_TOO_LARGE' && typeof rows === 'number' && typeof limit === 'number') {
    const { quantity } = FORMATS[language];
    return EXPORT_FILE[language].tooLarge(quantity(rows), quantity(limit));
  }
  const reason = reasonOf(error, STATES[language]);
  return requestId === null ? reason : `${reason} (${requestId})`;
}

/** Downloads the content by a click on a temporary link. */
function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_AFTER_CLICK_MS);
}
