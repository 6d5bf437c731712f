import { dirname } from 'node:path';
import type { DemoUserName } from '../../deploy/local/demo/users.js';
import { type StackFile, readStackFile } from '../../deploy/local/stack/stack-file.js';

export type DemoUser = DemoUserName;

function stackFile(): string {
  const file = process.env.PO_STACK_FILE;
  if (!file) throw new Error('this test needs a running stack: run it with "npm run e2e", which starts one');
  return file;
}

/** Folder of the stack that end-to-end tests use; PO_LOCAL_DIR for commands on that stack. */
export const stackFolder = (): string => dirname(stackFile());

/** Current state of the stack that end-to-end tests use, with a token for every demo user. */
export function readStack(): StackFile & { tokens: Record<DemoUser, string> } {
  const file = stackFile();
  const stack = readStackFile(file);
  if (!stack?.ready) throw new Error(`no stack is ready in ${file}`);
  return stack as StackFile & { tokens: Record<DemoUser, string> };
}
