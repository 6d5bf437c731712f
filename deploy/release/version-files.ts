import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const CHART = 'deploy/helm/po-collaboration/Chart.yaml';
const MANIFESTS = ['package.json', 'libs/client/package.json'];
const LOCKFILE = 'package-lock.json';

interface Lockfile {
  version: string;
  packages: Record<string, { version?: string }>;
}

/** Writes a version into every file of a checkout that has it. */
export async function writeVersion(root: string, version: string): Promise<void> {
  const change = async (path: string, changed: (text: string) => string) =>
    writeFile(join(root, path), changed(await readFile(join(root, path), 'utf8')));
  for (const path of MANIFESTS) await change(path, (text) => text.replace(/("version": ")[^"]+/, `$1${version}`));
  await change(LOCKFILE, (text) => {
    const lockfile = JSON.parse(text) as Lockfile;
    const own = ['', 'libs/client'].flatMap((path) => lockfile.packages[path] ?? []);
    for (const entry of [lockfile, ...own]) entry.version = version;
    return `${JSON.stringify(lockfile, null, 2)}\n`;
  });
  await change(CHART, (text) =>
    text.replace(/^version: .*$/m, `version: ${version}`).replace(/^appVersion: .*$/m, `appVersion: '${version}'`),
  );
}
