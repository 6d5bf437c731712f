import { rename, writeFile } from 'node:fs/promises';

/** Replaces a file as a whole: a reader sees the old or the new one, never half of one, also where the disk is full. */
export async function replaceFile(file: string, text: string, options: { mode?: number } = {}): Promise<void> {
  await writeFile(`${file}.new`, text, options);
  await rename(`${file}.new`, file);
}
