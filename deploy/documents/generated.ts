import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import { format, resolveConfig } from 'prettier';
import { openApi } from './openapi.js';

/** Every document that is generated, as its text, by its path from the root. */
export async function generatedDocuments(): Promise<Map<string, string>> {
  const documents = { 'libs/contracts/openapi.json': openApi() };
  const texts = Object.entries(documents).map(
    async ([path, document]) => [path, await printed(path, document)] as const,
  );
  return new Map(await Promise.all(texts));
}

async function printed(path: string, document: unknown): Promise<string> {
  const filepath = join(REPOSITORY, path);
  return format(JSON.stringify(document, null, 2), { ...(await resolveConfig(filepath)), filepath });
}
