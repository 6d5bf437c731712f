import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment } from '../../deploy/local/config.js';
import { ROOT } from '@po/testing/documents';

export interface Outcome {
  code: number;
  /** What it printed, errors and all. */
  text: string;
  /** What it printed on standard output. */
  output: string;
}

/** Where one of the tools is, which `npm run test:ops` says. */
export function programOf(name: string): string {
  const bin = process.env['OPS_BIN'];
  if (!bin) throw new Error('OPS_BIN is not set: start these tests by "npm run test:ops"');
  return join(bin, name);
}

/** Runs one of the tools in the repository's root, to whatever end. `environment`: what is changed of this process's. */
export function tool(
  name: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  const options = { cwd: ROOT, env: childEnvironment(environment), maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    execFile(programOf(name), args, options, (error, output, errors) => {
      const { code } = (error ?? { code: 0 }) as { code?: number | string };
      if (typeof code === 'number') resolve({ code, output, text: `${output}${errors}` });
      else reject(error ?? new Error(`${name} did not end`));
    });
  });
}

/** What it printed on standard output. Rejects, with all that it printed, unless it ended well. */
export async function good(
  name: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const { code, output, text } = await tool(name, args, environment);
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${text}`);
  return output;
}

/** A folder for one run. */
export function runDir(): string {
  const dir = process.env['OPS_DIR'];
  if (!dir) throw new Error('OPS_DIR is not set: start these tests by "npm run test:ops"');
  return dir;
}
