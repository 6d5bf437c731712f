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

/** How long writing and reading files blocks the event loop of a process that does nothing else. */
export async function measureFilesAlone(): Promise<object[]> {
  progress('write and read files alone');
  const rows: object[] = [];
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
    poNumber: `PO-4600${order}`,
    status: 'New',
    statusZh: '新订单',
    vendor: '宁波 Garments Ltd.',
    lines: Array.from({ length: 20 }, (_unused, line) => ({
      rowHash: String(order * 20 + line).padStart(32, '0'),
      lineId: `PO-4600${order}-${line}`,
      code: `ST-${line}-NAVY`,
      style: `ST-${line}`,
      color: 'NAVY',
      size: '28',
      originalQty: 100 + line,
      vendorReplyQty: 90 + line,
      agreedQty: null,
      qty: 90 + line,
      originalUnitPrice: 12.5,
      vendorReplyUnitPrice: null,
      agreedUnitPrice: null,
      unitPrice: 12.5,
    })),
  }));
  return exported(format, page, pages);
}

/** A file of this page so many times. */
export function exported(format: ExportFormat, page: ExportedLines[], pages = 1): Promise<Buffer> {
  const json = Buffer.from(JSON.stringify(page));
  async function* all() {
    for (let nth = 0; nth < pages; nth += 1) yield await Promise.resolve(json);
  }
  return buffer(exportFile(format, SHEETS.lines('en'), all(), 'en'));
}

/** The run with the shortest block, after one that does not count. */
async function measured(work: string, run: () => Promise<unknown>): Promise<object> {
  await run();
  const rows = [];
  for (let time = 0; time < TIMES; time += 1) {
    const delays = monitorEventLoopDelay({ resolution: 1 });
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
    delays.enable();
    await run();
    const { user, system } = process.cpuUsage(cpu);
    const ms = performance.now() - startedAt;
    delays.disable();
    rows.push({ work, ms, CPU: (user + system) / 1000, longest: delays.max / 1e6 });
  }
  return rows.toSorted((a, b) => a.longest - b.longest)[0] ?? {};
}
