import { argumentsOf } from '../option-values.js';
import { readSettings } from '../config.js';
import { DEMO_USERS, isDemoUser } from '../demo/users.js';
import { demoToken } from '../stack/demo-token.js';
import { loadKeys } from '../stack/keys.js';
import { runCommand } from './lifecycle.js';
import { stackIn } from '../stack/running-stack.js';

/** `npm run token -- --as vendor:ACME [--claims '{…}']`: prints a token as the last line. */
async function main(): Promise<number> {
  const { values } = argumentsOf({ options: { as: { type: 'string' }, claims: { type: 'string', default: '{}' } } });
  const user = values.as ?? '';
  if (!isDemoUser(user)) throw new Error(`--as takes one of ${Object.keys(DEMO_USERS).join(', ')}`);
  const { dir, identity } = readSettings();
  if (identity.jwksUrl !== null) throw new Error('AUTH_JWKS_URL is set: tokens come from that identity provider');
  const stack = stackIn(dir);
  if (stack && Object.keys(stack.tokens).length === 0)
    throw new Error(`the running stack takes only tokens of its external identity provider, ${stack.jwksUrl}`);
  if (!stack)
    process.stderr.write(`no stack runs in ${dir}: this token is only valid for a stack started with that folder\n`);
  const { issuer, audience } = stack ?? identity;
  const { identity: key } = await loadKeys(dir);
  process.stdout.write(`${await demoToken({ key, issuer, audience }, user, parseClaims(values.claims))}\n`);
  return 0;
}

function parseClaims(text: string): Record<string, unknown> {
  let claims: unknown;
  try {
    claims = JSON.parse(text);
  } catch {
    claims = null;
  }
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) {
    throw new Error(`--claims takes a JSON object, such as --claims '{"name":"Li","vendor_code":"ACME"}'`);
  }
  return claims as Record<string, unknown>;
}

await runCommand(main);
