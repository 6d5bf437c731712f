import { run, tryRun } from '#local/processes/run.js';
import { type Commit, commitOf } from './commits.js';

/** The newest tag of a release, as v1.2.3, that a revision has in its history; null if there is none or no such revision. */
export async function lastRelease(repository: string, revision: string): Promise<string | null> {
  const pattern = ['--match', 'v[0-9]*.[0-9]*.[0-9]*', '--exclude', '*-*'];
  return (
    (await tryRun('git', ['-C', repository, 'describe', '--tags', '--abbrev=0', ...pattern, revision]))?.trim() ?? null
  );
}

/** The text of a file at a revision, or null where it is not. */
export const fileAt = (repository: string, revision: string, path: string): Promise<string | null> =>
  tryRun('git', ['-C', repository, 'show', `${revision}:${path}`]);

/** The conventional commits after a revision, or all, the newest first; merges are left out. */
export async function commitsSince(repository: string, revision: string | null): Promise<Commit[]> {
  const range = revision === null ? 'HEAD' : `${revision}..HEAD`;
  const text = await run('git', ['log', '--no-merges', '--format=%h%n%B%x00', range], { cwd: repository });
  return text.split('\0').flatMap((entry) => {
    const [hash = '', ...message] = entry.trim().split('\n');
    return commitOf(hash, message.join('\n')) ?? [];
  });
}
