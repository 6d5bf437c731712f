import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, copyFile, mkdir, readFile, readdir, readlink, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { SERVICE_NAMES, type ServiceName, SERVICES } from '../../deploy/local/stack/stack-file.js';
import { run } from '../../deploy/local/processes/run.js';
import type { Builder, Image } from './builder.js';
import { type Run, runningOf } from './running.js';

export type Images = Record<ServiceName, Image>;

/** The images of all services, which nobody can write to any more. */
export async function assembleAll(builder: Builder): Promise<Images> {
  const images: Partial<Images> = {};
  const build = async (services: readonly ServiceName[]) => {
    for (const service of services) {
      images[service] = await builder.image({ SERVICE: SERVICE_NAMES[service] });
      await run('chmod', ['-R', 'a-w', images[service].root]);
    }
  };
  // Two at a time: each keeps a core busy.
  await Promise.all([build(SERVICES.slice(0, 2)), build(SERVICES.slice(2))]);
  return images as Images;
}

/** So that they can be removed again. */
export const makeWritable = (dir: string): Promise<unknown> => run('chmod', ['-R', 'u+w', dir]);

/** The files of a folder by their paths, each with what would change if it were written to. */
export async function filesOf(dir: string): Promise<Map<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const contents = files.map(async (entry): Promise<[string, string]> => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isSymbolicLink() ? await readlink(path) : await readFile(path);
    return [relative(dir, path), createHash('sha1').update(content).digest('hex')];
  });
  return new Map(await Promise.all(contents));
}

/**
 * Starts images as they say, with Node itself in place of their base: nothing of this process's environment, as their user where this one
 * may choose, and with one folder to write to.
 */
export async function runnerOf(images: Images, dir: string): Promise<{ run: Run; killAll: () => void }> {
  // Whoever runs this may have a home, and Node in it, that others cannot read.
  const bin = join(dir, 'bin');
  await mkdir(bin, { recursive: true });
  await copyFile(process.execPath, join(bin, 'node'));
  await chmod(join(bin, 'node'), 0o755);
  const temporary = join(dir, 'tmp');
  await mkdir(temporary);
  const identity = process.getuid?.() === 0 ? identityOf(images.gateway.user) : null;
  if (identity) await chown(temporary, identity.uid, identity.gid);
  const children: ChildProcess[] = [];
  const start: Run = (service, environment, command) => {
    const { root, workdir, env, command: own } = images[service];
    const [program = '', ...args] = command ?? own;
    const child = spawn(program === 'node' ? join(bin, 'node') : program, args, {
      cwd: join(root, command ? '/app' : workdir),
      ...identity,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: bin, TMPDIR: temporary, ...env, ...environment },
    });
    children.push(child);
    const signal = (name: NodeJS.Signals) => Promise.resolve(void child.kill(name));
    return runningOf(child, { signal, stop: () => signal('SIGTERM') });
  };
  return { run: start, killAll: () => children.forEach((child) => child.kill('SIGKILL')) };
}

function identityOf(user: string): { uid: number; gid: number } {
  const [uid = NaN, gid = NaN] = user.split(':').map(Number);
  return { uid, gid };
}

/** Bytes of an image's files: of the packages that it needs, and of this repository's. */
export async function sizesOf(root: string): Promise<{ packages: number; own: number }> {
  const sizes = { packages: 0, own: 0 };
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    sizes[path.includes('/node_modules/', root.length) ? 'packages' : 'own'] += (await stat(path)).size;
  }
  return sizes;
}
