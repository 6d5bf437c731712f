import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_DIR } from '#local/config.js';
import { run } from '#local/processes/run.js';
import { step } from '#local/progress.js';
import { REPOSITORY } from '#local/repository.js';
import { installTools } from '#tools/install.js';
import { TOOLS } from '#tools/tools.js';

/** The path of a tool, installed if it is missing. */
export const toolAt = async (name: 'helm' | 'crane'): Promise<string> =>
  join(await installTools(join(DEFAULT_DIR, 'tools'), { [name]: TOOLS[name] }, step), name);

/** Packs the client, which was built before this command started; answers the file's name. */
export async function packClient(root: string, out: string): Promise<string> {
  const folder = join(root, 'libs/client');
  await cp(join(REPOSITORY, 'libs/client/dist'), join(folder, 'dist'), { recursive: true });
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const packed = await run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', out], {
    cwd: folder,
  });
  return packed.trim();
}

/** Packs the chart; answers the file's name. */
export async function packChart(root: string, out: string, version: string): Promise<string> {
  await run(await toolAt('helm'), ['package', join(root, 'deploy/helm/po-collaboration'), '--destination', out]);
  return `po-collaboration-${version}.tgz`;
}

/** Writes SHA256SUMS, as sha256sum reads it. */
export async function writeSums(out: string, names: readonly string[]): Promise<void> {
  const lines = names.map(async (name) => {
    const hash = createHash('sha256').update(await readFile(join(out, name)));
    return `${hash.digest('hex')}  ${name}\n`;
  });
  await writeFile(join(out, 'SHA256SUMS'), (await Promise.all(lines)).join(''));
}
