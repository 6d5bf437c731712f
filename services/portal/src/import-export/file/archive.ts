import { type Archive, MAX_PARTS, Unreadable } from '@po/spreadsheets';
import { unzipSync } from 'fflate';

/** Of a part, in bytes: some times what the longest export has, which is 50 MB. */
const MAX_UNPACKED = 128 * 1024 * 1024;
/** What is read of it at a time. */
const SLICE = 64 * 1024;

/** The parts of a workbook in memory, of which one at a time is unpacked. */
export function archiveOf(bytes: Uint8Array): Archive {
  const names = new Set<string>();
  let parts = 0;
  unzipSync(bytes, {
    filter: ({ name }) => {
      parts += 1;
      if (parts > MAX_PARTS) throw new Unreadable('manyParts');
      names.add(name);
      return false;
    },
  });
  // Another archive is not damaged.
  if (!names.has('_rels/.rels')) throw new Unreadable('notXlsx');
  return {
    has: (name) => names.has(name),
    async *read(name) {
      const part = unpacked(bytes, name);
      for (let from = 0; from < part.length; from += SLICE)
        yield await Promise.resolve(part.subarray(from, from + SLICE));
    },
  };
}

/** Throws for a part that is not there, is too large, or is not as large as it says. */
function unpacked(bytes: Uint8Array, path: string): Uint8Array {
  let said: number | null = null;
  const { [path]: part } = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      // The first of a name counts, here and in every program.
      if (name !== path || said !== null) return false;
      if (originalSize > MAX_UNPACKED) throw new Unreadable('largePart');
      said = originalSize;
      return true;
    },
  });
  if (part?.length !== said) throw new Unreadable('damaged');
  return part;
}
