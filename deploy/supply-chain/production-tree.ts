import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '#local/config.js';
import { REPOSITORY } from '#local/repository.js';

export const SERVICES = ['gateway', 'purchase-orders', 'notifications', 'dashboard'];

/** Installs into a folder what the Dockerfile installs for a service. */
export async function installProduction(service: string, tree: string): Promise<void> {
  const manifests = globSync('{libs,services}/*/package.json', { cwd: REPOSITORY });
  for (const path of ['package.json', 'package-lock.json', '.npmrc', ...manifests]) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await cp(join(REPOSITORY, path), join(tree, path));
  }
  const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', [...args, '--omit=dev', '--workspace', `services/${service}`], {
    ...{ cwd: tree, env: childEnvironment({}), maxBuffer: 16 * 1024 * 1024 },
  });
}

/** What npm says that it put into a tree. */
export const installedLockfile = (tree: string): Promise<string> =>
  readFile(join(tree, 'node_modules/.package-lock.json'), 'utf8');
