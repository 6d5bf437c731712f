import { join } from 'node:path';
import { childEnvironment } from '#local/config.js';
import { run } from '#local/processes/run.js';
import { REPOSITORY } from '#local/repository.js';

const PROGRAM = join(REPOSITORY, 'node_modules/@redocly/cli/bin/cli.js');
// Prevents all network requests.
const OFFLINE = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
};

/** Runs Redocly's program for API descriptions in a folder. Resolves with its report. */
export async function redocly(cwd: string, ...args: string[]): Promise<unknown> {
  const env = childEnvironment(OFFLINE);
  return JSON.parse(await run(process.execPath, [PROGRAM, ...args, '--format=json'], { cwd, env }));
}
