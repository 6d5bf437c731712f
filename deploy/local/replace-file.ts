import { renameSync, writeFileSync } from 'node:fs';

/**
 * Replaces a small file atomically: readers see the old or the new content, never a part, even if the disk is full. Synchronous, so that
 * successive writes keep their order and finish before this process can end.
 */
export function replaceFile(file: string, text: string, options: { mode?: number } = {}): void {
  writeFileSync(`${file}.new`, text, options);
  renameSync(`${file}.new`, file);
}
