import { run, tryRun } from '#local/processes/run.js';
import { type Commit, commitOf } from './commits.js';

/** Newest release tag (such as v1.2.3) in the history of a revision; null if there is none or the revision does not exist. */
export async function lastRelease(repository: string, revision: string): Promise<string | null> {
  // Not git describe, which finds the nearest tag: after the merge of a hotfix, that of the older release.
  const args = ['tag', '--merged', revision, '--list', 'v[0-9]*.[0-9]*.[0-9]*', '--sort=-version:refname'];
  const tags = (await tryRun('git', ['-C', repository, ...args]))?.trim().split('\n') ?? [];
  return tags.find((tag) => tag !== '' && !tag.includes('-')) ?? null;
}

/** Reason why a clone may not know every release, with the remedy; null if it knows those of its origin. */
export async function unknownReleases(repository: string): Promise<string | null> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: repository })).trim();
  if ((await git('rev-parse', '--is-shallow-repository')) === 'true')
    return 'this clone is shallow: run "git fetch --unshallow --tags"';
  if (!(await git('remote')).split('\n').includes('origin')) return null;
  const published = await git('ls-remote', '--tags', '--refs', 'origin', 'v[0-9]*');
  const known = new Set((await git('tag')).split('\n'));
  const unknown = (published.match(/(?<=refs\/tags\/).+/g) ?? []).filter((tag) => !known.has(tag));
  return unknown.length > 0 ? `origin also has ${unknown.join(', ')}: run "git fetch --tags"` : null;
}

/** Text of a file at a revision; null if the file does not exist there. */
export const fileAt = (repository: string, revision: string, path: string): Promise<string | null> =>
  tryRun('git', ['-C', repository, 'show', `${revision}:${path}`]);

/** Conventional commits after a revision, or all commits if null, newest first and without merges. */
export async function commitsSince(repository: string, revision: string | null): Promise<Commit[]> {
  const range = revision === null ? 'HEAD' : `${revision}..HEAD`;
  const text = await run('git', ['log', '--no-merges', '--format=%h%n%B%x00', range], { cwd: repository });
  return text.split('\0').flatMap((entry) => {
    const [hash = '', ...message] = entry.trim().split('\n');
    return commitOf(hash, message.join('\n')) ?? [];
  });
}
