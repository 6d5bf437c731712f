import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const CHART = 'deploy/helm/po-collaboration/Chart.yaml';
const MANIFESTS = ['package.json', 'libs/client/package.json'];
const LOCKFILE = 'package-lock.json';

/** Writes a version into all files of a checkout that contain it. */
export async function writeVersion(checkout: string, version: string): Promise<void> {
  const change = async (path: string, changed: (text: string) => string) =>
    writeFile(join(checkout, path), changed(await readFile(join(checkout, path), 'utf8')));
  for (const path of MANIFESTS) await change(path, (text) => text.replace(/("version": ")[^"]+/, `$1${version}`));
  await change(LOCKFILE, (text) => {
    const lockfile = JSON.parse(text) as { version: string; packages: Record<string, { version: string }> };
    const { '': root, 'libs/client': client } = lockfile.packages;
    for (const entry of [lockfile, root, client]) if (entry) entry.version = version;
    return `${JSON.stringify(lockfile, null, 2)}\n`;
  });
  await change(CHART, (text) =>
    text.replace(/^version: .*$/m, `version: ${version}`).replace(/^appVersion: .*$/m, `appVersion: '${version}'`),
  );
}
