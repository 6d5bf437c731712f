import { renameSync, writeFileSync } from 'node:fs';

/**
 * Replaces a small file as a whole: a reader sees the old or the new one, never half of one, also where the disk is full. At once, so that
 * one after another is written in their order, and before whatever ends this process.
 */
export function replaceFile(file: string, text: string, options: { mode?: number } = {}): void {
  writeFileSync(`${file}.new`, text, options);
  renameSync(`${file}.new`, file);
}
