import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { run } from '../../deploy/local/processes/run.js';
import { defaultPrevious } from './previous-build.js';

const WHO = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com'];
const MIGRATION = 'services/mail/src/migrations/0001-create-schema.ts';

describe('the version that an upgrade starts from', () => {
  let repository: string;
  // Ignores the configuration of the developer, which may sign commits and tags.
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (...args: string[]) => run('git', args, { cwd: repository, env });
  const commit = async (name: string) => {
    await mkdir(dirname(join(repository, MIGRATION)), { recursive: true });
    await writeFile(join(repository, MIGRATION), `migration('${name}', create)\n`);
    await git('add', '.');
    await git(...WHO, 'commit', '--quiet', '--allow-empty', '--message', name);
  };
  beforeEach(async () => {
    repository = await mkdtemp(join(tmpdir(), 'po-releases-'));
    await git('init', '--quiet');
    await commit('CreateSchema1796000000000');
  });
  afterEach(() => rm(repository, { recursive: true }));

  it('is the last release before this commit', async () => {
    await git('tag', 'v1.9.0');
    await commit('CreateSchema1796000000000');
    await git('tag', 'v1.10.0');
    await commit('CreateSchema1796000000000');
    await git('tag', 'v1.11.0-rc.1');
    await git('tag', 'latest');
    expect(await defaultPrevious(repository)).toBe('v1.10.0');
    // A release of this commit itself does not count.
    await git('tag', 'v1.11.0');
    expect(await defaultPrevious(repository)).toBe('v1.10.0');
  });

  it('is the newest release, not a nearer hotfix of an older one that was merged', async () => {
    await git('checkout', '--quiet', '-b', 'hotfix');
    for (let at = 0; at < 4; at += 1) await commit('CreateSchema1796000000000');
    await git('tag', 'v1.9.1');
    await git('checkout', '--quiet', '-b', 'feature', 'HEAD~4');
    await commit('CreateSchema1796000000000');
    await git('tag', 'v1.10.0');
    await git(...WHO, 'merge', '--quiet', '--no-edit', 'hotfix');
    await commit('CreateSchema1796000000000');
    expect(await defaultPrevious(repository)).toBe('v1.10.0');
  });

  it('is the commit before if the last release has another first migration, or if there is no release', async () => {
    await commit('CreateSchema1797000000000');
    expect(await defaultPrevious(repository)).toBe('HEAD~1');
    await git('tag', 'v1.9.0', 'HEAD~1');
    expect(await defaultPrevious(repository)).toBe('HEAD~1');
  });
});
