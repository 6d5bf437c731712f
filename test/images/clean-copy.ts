import { mkdir } from 'node:fs/promises';
import { run } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';

/**
 * Copies the files that a commit of the repository would have, without built, installed or ignored ones. Only the owner may read the copy,
 * as after a clone with umask 077.
 */
export async function cleanCopy(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  const list = `git ls-files -z --cached --others --exclude-standard`;
  await run(
    'sh',
    [
      '-c',
      `umask 077; ${list} | tar --create --null --files-from - --ignore-failed-read | tar --extract --no-same-permissions --directory "$0"`,
      dir,
    ],
    {
      cwd: REPOSITORY,
    },
  );
  return dir;
}
