import type { DemoUserName } from '../../deploy/local/demo/users.js';
import { demoToken } from '../../deploy/local/stack/demo-token.js';
import { loadKeys } from '../../deploy/local/stack/keys.js';
import { readStack, stackFolder } from './stack.js';

/** A token that the stack of end-to-end tests takes: of a demo user, but for these claims; null takes one away. */
export async function tokenOf(user: DemoUserName, claims: Record<string, unknown> = {}): Promise<string> {
  const { issuer, audience } = readStack();
  const { identity: key } = await loadKeys(stackFolder());
  return demoToken({ key, issuer, audience }, user, claims);
}
