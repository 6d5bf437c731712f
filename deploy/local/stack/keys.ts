import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.js';

/** A private JSON Web Key with a `kid`. */
export interface PrivateJwk {
  [member: string]: unknown;
  kid: string;
}

export interface Keys {
  /** RS256: signs the tokens of the demo users. */
  identity: PrivateJwk;
  /** Ed25519: the gateway signs with it who the caller is. */
  actor: PrivateJwk;
}

const PRIVATE_MEMBERS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi']);

/** The keys of this folder, made once: tokens outlive a restart. */
export async function loadKeys(dir: string): Promise<Keys> {
  const file = join(dir, 'keys.json');
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept) return JSON.parse(kept) as Keys;
  const keys: Keys = {
    identity: {
      ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
      kid: randomUUID(),
      alg: 'RS256',
      use: 'sig',
    },
    actor: { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'EdDSA' },
  };
  await mkdir(dir, { recursive: true });
  replaceFile(file, JSON.stringify(keys), { mode: 0o600 });
  return keys;
}

/** The public part of a key. */
export const publicPart = (key: PrivateJwk): Record<string, unknown> =>
  Object.fromEntries(Object.entries(key).filter(([member]) => !PRIVATE_MEMBERS.has(member)));
