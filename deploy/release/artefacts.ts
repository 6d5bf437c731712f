import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_DIR } from '#local/config.js';
import { run, tryRun } from '#local/processes/run.js';
import { step } from '#local/progress.js';
import { REPOSITORY } from '#local/repository.js';
import { installTools } from '#local/tools/install.js';
import { TOOLS } from '#local/tools/tools.js';

const ENGINES = ['docker', 'buildah'] as const;
type Engine = (typeof ENGINES)[number];

/** Path of a tool, which is installed if missing. */
export const toolAt = async (name: 'helm' | 'crane'): Promise<string> =>
  join(await installTools(join(DEFAULT_DIR, 'tools'), { [name]: TOOLS[name] }, step), name);

/** Packs the client, which was built before this command started. Returns the file name. */
export async function packClient(root: string, out: string): Promise<string> {
  const folder = join(root, 'libs/client');
  await cp(join(REPOSITORY, 'libs/client/dist'), join(folder, 'dist'), { recursive: true });
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', out];
  return (await run('npm', args, { cwd: folder })).trim();
}

/** Packs the chart. Returns the file name. */
export async function packChart(root: string, out: string, version: string): Promise<string> {
  await run(await toolAt('helm'), ['package', join(root, 'deploy/helm/po-collaboration'), '--destination', out]);
  return `po-collaboration-${version}.tgz`;
}

/** Writes SHA256SUMS in the format of sha256sum. */
export async function writeSums(out: string, names: readonly string[]): Promise<void> {
  const lines = names.map(async (name) => {
    const hash = createHash('sha256').update(await readFile(join(out, name)));
    return `${hash.digest('hex')}  ${name}\n`;
  });
  await writeFile(join(out, 'SHA256SUMS'), (await Promise.all(lines)).join(''));
}

/** A program that can build images on this machine; null if there is none. */
export async function engineOf(): Promise<Engine | null> {
  for (const engine of ENGINES) if ((await tryRun(engine, ['version'])) !== null) return engine;
  return null;
}

/** Builds the image of a service from a checkout. */
export function buildImage(
  engine: Engine,
  { root, service, name, version, revision }: Record<'root' | 'service' | 'name' | 'version' | 'revision', string>,
): Promise<string> {
  const values = { SERVICE: service, VERSION: version, REVISION: revision };
  const buildArgs = Object.entries(values).flatMap(([argument, value]) => ['--build-arg', `${argument}=${value}`]);
  return run(engine, ['build', '--file', 'deploy/Dockerfile', ...buildArgs, '--tag', name, '.'], { cwd: root });
}
