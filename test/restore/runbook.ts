import { delimiter, dirname } from 'node:path';
import { documentOf } from '@po/testing/documents';
import { run } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { type Launch, PROGRAMS } from '../../deploy/local/stores/embedded-postgres.js';

const RUNBOOK = 'deploy/RESTORE.md';
/** Backup folder in the runbook. */
const BACKUPS = '/backup';
/** Folder of an image's programs in the runbook. */
const IMAGE = '/app/';

export type Part = 'archive' | 'base' | 'dump' | 'undump' | 'stop' | 'restore' | 'repair' | 'end' | 'lost';

/** Commands of a part of the runbook, with this backup folder and the programs of this repository. Throws for an unknown part. */
export function commandsOf(part: Part, backups: string): string {
  const [, commands] = new RegExp(`^\`\`\`sh ${part}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(documentOf(RUNBOOK)) ?? [];
  if (commands === undefined) throw new Error(`${RUNBOOK} has no commands of "${part}"`);
  return commands.replaceAll(BACKUPS, backups).replaceAll(IMAGE, `${REPOSITORY}/`);
}

/** Runs commands as a person would, with these variables and the programs of this folder. Returns the output; rejects if one fails. */
export function runCommands(
  commands: string,
  programs: string,
  variables: Record<string, string>,
  launch: Launch,
): Promise<string> {
  const PATH = [programs, PROGRAMS, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const { command, args, ...user } = launch('/bin/sh', ['-eu', '-c', commands]);
  return run(command, args, { ...user, cwd: REPOSITORY, env: { ...process.env, ...variables, PATH } });
}
