import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import { type FormatConfig, format } from 'oxfmt';

/**
 * Formats a text as `npm run format` formats the file at that path; the options override the repository's settings.
 * Rejects if the text cannot be parsed.
 */
export async function formatFile(path: string, text: string, options: FormatConfig = {}): Promise<string> {
  const { printWidth, singleQuote } = await settings;
  const { code, errors } = await format(path, text, { printWidth, singleQuote, ...options });
  if (errors.length > 0) throw new Error(`${path} cannot be formatted: ${errors.map(({ message }) => message).join()}`);
  return code;
}

const settings = readFile(join(REPOSITORY, '.oxfmtrc.json'), 'utf8').then((text) => JSON.parse(text) as FormatConfig);
