import type { DemoUserName } from '../../deploy/local/demo/users.js';
import { demoToken } from '../../deploy/local/stack/demo-token.js';
import { loadKeys } from '../../deploy/local/stack/keys.js';
import { readStack, stackFolder } from './stack.js';

/** A token of a demo user that the stack of end-to-end tests accepts, with these claims replaced. null removes a claim. */
export async function tokenOf(user: DemoUserName, claims: Record<string, unknown> = {}): Promise<string> {
  const { issuer, audience } = readStack();
  const { identity: key } = await loadKeys(stackFolder());
  return demoToken({ key, issuer, audience }, user, claims);
}
