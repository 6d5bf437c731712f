import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../deploy/local/processes/run.js';
import { runDir } from '../../deploy/tools/fixtures/ops-tools.js';
import type { Docker } from './engine.js';

/** Size in bytes of each file and link of an image below a folder such as `app/`, by path. */
export async function filesOf(docker: Docker, image: string, folder: string): Promise<Map<string, number>> {
  const container = (await docker.run(['create', image])).trim();
  const archive = join(runDir(), `${container}.tar`);
  try {
    await docker.run(['export', '--output', archive, container]);
    const lines = (await run('tar', ['--list', '--verbose', '--numeric-owner', '--file', archive, folder])).split('\n');
    // Format: "-rw-r--r-- 0/0 1234 2026-01-05 10:00 app/package.json", with " -> target" after a link.
    const entries = lines.flatMap((line) => {
      const [, size = '', path = ''] = /^[-lh]\S+ \S+ +(\d+) \S+ \S+ (.*?)(?: -> .*| link to .*)?$/.exec(line) ?? [];
      return path === '' ? [] : [[path, Number(size)] as const];
    });
    return new Map(entries);
  } finally {
    await docker.run(['rm', container]);
    await rm(archive, { force: true });
  }
}
