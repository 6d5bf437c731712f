import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../local/repository.js';
import { generatedDocuments } from './generated.js';

const DOCUMENTS = await generatedDocuments();
// Prevents all network requests of the linter.
const OFFLINE = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
};

describe('the generated documents', () => {
  const apis = [...DOCUMENTS.keys()].filter((path) => /api\.json$/.test(path));
  it.each(apis)('%s passes the strictest lint rules for API descriptions', async (path) => {
    const program = join(REPOSITORY, 'node_modules/@redocly/cli/bin/cli.js');
    const options = { cwd: REPOSITORY, env: { ...process.env, ...OFFLINE } };
    const args = [program, 'lint', '--extends=recommended-strict', '--format=json', path];
    const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
      (error: { stdout: string }) => error,
    );
    const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: unknown[] };
    expect(problems).toEqual([]);
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  });
});
