import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type Archive, MAX_PARTS, Unreadable } from '@po/spreadsheets';
import { type Entry, type Options, type ZipFile, fromBuffer } from 'yauzl';

/** Bytes of all unpacked parts of a workbook. No workbook made by people for one order has come close to it. */
export const MAX_UNPACKED = 16 * 1024 * 1024;

const open = promisify<Buffer, Options, ZipFile>(fromBuffer);

/** The entries of an archive in memory, by name. */
export class ZipArchive implements Archive {
  private unpacked = 0;

  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /** Rejects if the bytes are not an archive, are damaged, or have more entries than any workbook. */
  static async open(bytes: Buffer): Promise<ZipArchive> {
    const zip = await open(bytes, { lazyEntries: true, strictFileNames: false, validateEntrySizes: true });
    if (zip.entryCount > MAX_PARTS) throw new Unreadable('manyParts');
    const entries = new Map<string, Entry>();
    await new Promise<void>((resolve, reject) => {
      zip.on('entry', (entry: Entry) => {
        // The first entry of a name counts, as in every other program.
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
   * Yields the bytes of an entry, unpacked as they are consumed, so that the reader of a large entry may stop early. Throws if the entry
   * does not exist, cannot be unpacked or exceeds its declared size, or if the parts exceed the limit of a workbook.
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
