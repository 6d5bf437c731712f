import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outcomeOf } from '#local/processes/run.js';
import { SERVICE_NAMES } from '#local/stack/stack-file.js';
import { IMAGE_FILES, imagesIn, pinDigests, releaseValues } from './images.js';

const UNPINNED = 'deploy/supply-chain/unpinned-images.json';

/** Gets the digest of an image from its registry. */
async function digestOf(crane: string, image: string): Promise<string> {
  const { code, output, text } = await outcomeOf(crane, ['digest', image]);
  if (code !== 0) throw new Error(`the registry has no answer for ${image}: ${text.trim()}`);
  return output.trim();
}

/** Writes the current registry digests into every file of a repository that references images. Resolves with the pinned references. */
export async function pinImages(repository: string, crane: string): Promise<string[]> {
  const texts = await Promise.all(
    IMAGE_FILES.map(async (file) => [file, await readFile(join(repository, file), 'utf8')] as const),
  );
  const names = new Set(texts.flatMap(([file, text]) => imagesIn(file, text).map(({ name }) => name)));
  const digests = new Map<string, string>();
  for (const name of names) digests.set(name, await digestOf(crane, name));
  for (const [file, text] of texts) await writeFile(join(repository, file), pinDigests(text, digests));
  await writeFile(join(repository, UNPINNED), '{}\n');
  return [...digests].map(([name, digest]) => `${name}@${digest}`);
}

/** Chart values with the digests of the images under one tag in a registry, such as `registry.example.com/purchase-orders`. */
export async function releasedImages(crane: string, registry: string, tag: string): Promise<string> {
  const digests: Record<string, string> = {};
  for (const [service, image] of Object.entries(SERVICE_NAMES))
    digests[service] = await digestOf(crane, `${registry}/${image}:${tag}`);
  return releaseValues(digests);
}
