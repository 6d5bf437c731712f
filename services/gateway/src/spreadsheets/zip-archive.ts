import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type Archive, MAX_PARTS, Unreadable } from '@po/spreadsheets';
import { type Entry, type Options, type ZipFile, fromBuffer } from 'yauzl';

/** Of all parts of a workbook that are read, in bytes: what one that people made for one order has never come near to. */
export const MAX_UNPACKED = 16 * 1024 * 1024;

const open = promisify<Buffer, Options, ZipFile>(fromBuffer);

/** The entries of an archive in memory, by their names; `read` reads one. */
export class ZipArchive implements Archive {
  private unpacked = 0;

  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /** Rejects for what is no archive, is damaged, or has more entries than any workbook. */
  static async open(bytes: Buffer): Promise<ZipArchive> {
    const zip = await open(bytes, { lazyEntries: true, strictFileNames: false, validateEntrySizes: true });
    if (zip.entryCount > MAX_PARTS) throw new Unreadable('manyParts');
    const entries = new Map<string, Entry>();
    await new Promise<void>((resolve, reject) => {
      zip.on('entry', (entry: Entry) => {
        // The first of a name counts, here and in every program.
        if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
        zip.readEntry();
      });
      zip.on('end', resolve);
      zip.on('error', reject);
      zip.readEntry();
    });
    return new ZipArchive(zip, entries);
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /**
   * The bytes of an entry, unpacked as they are taken: who has enough of a large one need not take the rest. Throws for one that does not
   * exist or cannot be unpacked, for more bytes than it says, and for more than a workbook may have in all.
   */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (!entry) throw new Error(`the archive has no ${name}`);
    const stream = await promisify<Entry, Readable>(this.zip.openReadStream.bind(this.zip))(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      this.unpacked += chunk.length;
      if (this.unpacked > MAX_UNPACKED) throw new Unreadable('largePart');
      yield chunk;
    }
  }
}
