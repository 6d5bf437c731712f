import { SignJWT, importJWK } from 'jose';
import { DEMO_USERS, type DemoUserName } from '../demo/users.js';
import type { PrivateJwk } from './keys.js';

/** The longest lifetime that the gateway accepts. */
const LIFETIME_S = 24 * 60 * 60;
const PRINT_AGAIN_MS = 12 * 60 * 60 * 1000;

export interface DemoIdentity {
  key: PrivateJwk;
  issuer: string;
  audience: string;
}

/** Creates a token of a demo user, valid for 24 hours. `claims` overrides its claims; null removes a claim. */
export async function demoToken(
  { key, issuer, audience }: DemoIdentity,
  user: DemoUserName,
  claims: Record<string, unknown> = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const all = { iss: issuer, aud: audience, iat: now, exp: now + LIFETIME_S, ...DEMO_USERS[user], ...claims };
  const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT' })
    .sign(await importJWK(key, 'RS256'));
}

/** Creates a token for every demo user. */
export async function demoTokens(identity: DemoIdentity): Promise<Record<DemoUserName, string>> {
  const users = Object.keys(DEMO_USERS) as DemoUserName[];
  const tokens = await Promise.all(users.map((user) => demoToken(identity, user)));
  return Object.fromEntries(users.map((user, index) => [user, tokens[index]])) as Record<DemoUserName, string>;
}

/** Prints a token of every demo user, and new ones before these expire. */
export async function printDemoTokens(identity: DemoIdentity, print: (text: string) => unknown): Promise<void> {
  const printAll = async () => {
    for (const [user, token] of Object.entries(await demoTokens(identity))) print(`${user}\n${token}\n\n`);
  };
  setInterval(() => void printAll().catch(console.error), PRINT_AGAIN_MS);
  await printAll();
}
