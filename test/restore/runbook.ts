import { delimiter, dirname } from 'node:path';
import { documentOf } from '@po/testing/documents';
import { run } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';

const RUNBOOK = 'deploy/RESTORE.md';
/** What the place of backups is called there. */
const PLACE = '/backup';

export type Part = 'archive' | 'base' | 'dump' | 'undump' | 'restore' | 'repair' | 'lost';

/** The commands of a part of the runbook, with this folder for the place of backups. */
export function commandsOf(part: Part, place: string): string {
  const [, commands] =
    new RegExp(`^\`\`\`(?:sh|sql) ${part}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(documentOf(RUNBOOK)) ?? [];
  if (commands === undefined) throw new Error(`${RUNBOOK} has no commands of "${part}"`);
  return commands.replaceAll(PLACE, place);
}

/** Runs them as a person would, with these variables and the programs of this folder. Resolves with what they print, rejects if one fails. */
export function runCommands(commands: string, programs: string, variables: Record<string, string>): Promise<string> {
  const PATH = [programs, dirname(process.execPath), process.env['PATH']].join(delimiter);
  return run('sh', ['-eu', '-c', commands], { cwd: REPOSITORY, env: { ...process.env, ...variables, PATH } });
}
