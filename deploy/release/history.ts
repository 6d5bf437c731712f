import { run, tryRun } from '#local/processes/run.js';
import { type Commit, commitOf } from './commits.js';

/** Newest release tag (such as v1.2.3) in the history of a revision; null if there is none or the revision does not exist. */
export async function lastRelease(repository: string, revision: string): Promise<string | null> {
  const pattern = ['--match', 'v[0-9]*.[0-9]*.[0-9]*', '--exclude', '*-*'];
  return (
    (await tryRun('git', ['-C', repository, 'describe', '--tags', '--abbrev=0', ...pattern, revision]))?.trim() ?? null
  );
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
