import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buffer } from 'node:stream/consumers';
import type { ExportFormat, ExportedLines } from '@po/contracts';
import { SHEETS } from '@po/gateway/dist/spreadsheets/columns.js';
import { exportFile } from '@po/gateway/dist/spreadsheets/export-file.js';
import { tableIn } from '@po/gateway/dist/spreadsheets/import-file.js';
import { MEDIA_TYPES } from '@po/gateway/dist/spreadsheets/media-types.js';
import { progress } from '../lifetime.js';

const PAGE_ROWS = 500;
const MIB = 1024 * 1024;
const TIMES = 3;

/** Work on a file in this process, which does nothing else. */
export interface StretchRow {
  name: string;
  /** Of the whole file. */
  ms: number;
  cpuMs: number;
  /** The longest time in which nothing else could be done. */
  longestMs: number;
}

/** How long writing and reading files keeps a process from everything else. */
export async function measureStretches(): Promise<StretchRow[]> {
  progress('write and read files alone');
  const rows: StretchRow[] = [];
  const files = new Map<string, Buffer>();
  for (const format of ['csv', 'xlsx'] as const) {
    rows.push(await measured(`write 50,000 rows, ${format}`, () => written(format, 100)));
    files.set(format, await written(format, 10));
  }
  const read = (format: ExportFormat, bytes: Buffer) =>
    tableIn({ type: MEDIA_TYPES[format], isUtf8: true, bytes }).catch(() => null);
  for (const format of ['csv', 'xlsx'] as const) {
    const bytes = files.get(format) ?? Buffer.alloc(0);
    rows.push(await measured(`read 5,000 rows, ${format}`, () => read(format, bytes)));
  }
  const notes = `${'long note '.repeat(95)},`;
  const large = Buffer.from(`Row ID,Notes,Reply Qty\r\n${`${'ab'.repeat(16)},${notes}5\r\n`.repeat(5_000)}`);
  rows.push(await measured('read 5,000 rows of 5 MB, csv', () => read('csv', large)));
  const ragged = Buffer.from(`Row ID,Reply Qty,x\r\n${',\r\n'.repeat((5 * MIB - 100) / 3)}`);
  rows.push(await measured('read 5 MiB of separators, csv', () => read('csv', ragged)));
  return rows;
}

function written(format: ExportFormat, pages: number): Promise<Buffer> {
  const page: ExportedLines[] = Array.from({ length: PAGE_ROWS / 20 }, (_, order) => ({
    ...{ poNumber: `PO-4600${order}`, status: 'New', statusZh: '新订单', vendor: '宁波 Garments Ltd.' },
    lines: Array.from({ length: 20 }, (_unused, line) => ({
      ...{ rowHash: String(order * 20 + line).padStart(32, '0'), lineId: `PO-4600${order}-${line}` },
      ...{ code: `ST-${line}-NAVY`, style: `ST-${line}`, color: 'NAVY', size: '28' },
      ...{ originalQty: 100 + line, vendorReplyQty: 90 + line, agreedQty: null, qty: 90 + line },
      ...{ originalUnitPrice: 12.5, vendorReplyUnitPrice: null, agreedUnitPrice: null, unitPrice: 12.5 },
    })),
  }));
  const json = Buffer.from(JSON.stringify(page));
  async function* all() {
    for (let asked = 0; asked < pages; asked += 1) yield await Promise.resolve(json);
  }
  return buffer(exportFile(format, SHEETS.lines('en'), all(), 'en'));
}

/** The best of some times, once it was done before. */
async function measured(name: string, work: () => Promise<unknown>): Promise<StretchRow> {
  await work();
  const rows: StretchRow[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const delays = monitorEventLoopDelay({ resolution: 1 });
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
    delays.enable();
    await work();
    const { user, system } = process.cpuUsage(cpu);
    const ms = performance.now() - startedAt;
    delays.disable();
    rows.push({ name, ms, cpuMs: (user + system) / 1000, longestMs: delays.max / 1e6 });
  }
  return rows.toSorted((a, b) => a.longestMs - b.longestMs)[0] as StretchRow;
}
