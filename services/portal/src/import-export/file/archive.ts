import { type Archive, MAX_PARTS, Unreadable } from '@po/spreadsheets';
import { unzipSync } from 'fflate';

/** Limit of one part, in bytes: a few times the longest export, which has 50 MB. */
const MAX_UNPACKED = 128 * 1024 * 1024;
/** Chunk size in bytes. */
const SLICE = 64 * 1024;

/** Opens a workbook in memory; its parts are unpacked one at a time. */
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
  // A different kind of archive is not a damaged workbook.
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

/** Throws if the part is missing, is too large, or does not have its declared size. */
function unpacked(bytes: Uint8Array, path: string): Uint8Array {
  let declared: number | null = null;
  const { [path]: part } = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      // If a name occurs more than once, the first entry counts, as in other programs.
      if (name !== path || declared !== null) return false;
      if (originalSize > MAX_UNPACKED) throw new Unreadable('largePart');
      declared = originalSize;
      return true;
    },
  });
  if (part?.length !== declared) throw new Unreadable('damaged');
  return part;
}
