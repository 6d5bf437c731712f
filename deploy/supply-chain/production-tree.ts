import { cp, mkdir, readFile } from 'node:fs/promises';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '#local/processes/run.js';
import { REPOSITORY } from '#local/repository.js';
import { NOTICES, bundledIn, lockedOf } from './bundled.js';
import { type LockedPackage, lockedPackages } from './lockfile.js';

/** Installs the packages of a service into a folder as the Dockerfile does, and copies the notices of the built portal for the gateway. */
export async function installProduction(service: string, tree: string): Promise<void> {
  await installPackages(service, tree);
  if (service !== 'gateway') return;
  await mkdir(dirname(join(tree, NOTICES)), { recursive: true });
  await cp(join(REPOSITORY, NOTICES), join(tree, NOTICES));
}

async function installPackages(service: string, tree: string): Promise<void> {
  const manifests = globSync('{libs,services}/*/package.json', { cwd: REPOSITORY });
  for (const path of ['package.json', 'package-lock.json', '.npmrc', ...manifests]) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await cp(join(REPOSITORY, path), join(tree, path));
  }
  const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', [...args, '--omit=dev', '--workspace', `services/${service}`], { cwd: tree });
}

/** The lockfile of the packages that npm installed for a service. */
export const installedLockfile = (tree: string): Promise<string> =>
  readFile(join(tree, 'node_modules/.package-lock.json'), 'utf8');

/** The portal's list of bundled packages in a tree; empty if the tree has no portal. */
export const noticesOf = (tree: string): string =>
  existsSync(join(tree, NOTICES)) ? readFileSync(join(tree, NOTICES), 'utf8') : '';

/** Lockfile entries of this repository for the packages bundled in the portal of a tree. */
export const bundledOf = (tree: string): LockedPackage[] =>
  lockedOf(bundledIn(noticesOf(tree)), lockedPackages(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8')));
