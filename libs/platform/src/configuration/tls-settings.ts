import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Rule } from './cross-field-rules.js';
import { certificatesIn } from '../tls/tls-files.js';

/** Whatever it holds later, at the start the file must be there and hold what it is to hold. */
export const fileWith = (what: string, read: (text: string) => unknown) =>
  z.string().superRefine((path, context) => {
    try {
      read(readFileSync(path, 'utf8'));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      context.addIssue({ code: 'custom', message: `must be the path of a file with ${what}: ${reason}` });
    }
  });

/** The path of a PEM file with certificates: of authorities, or of a client with the intermediate ones after it. */
export const certificateFile = fileWith('PEM certificates', certificatesIn);

/** The path of a PEM file with a private key. */
export const keyFile = fileWith('a PEM private key that has no passphrase', createPrivateKey);

/** The path of a file that holds a password and nothing else. */
export const passwordFile = fileWith('a password', passwordIn);

/** The text of a file without a trailing line break. Throws if it is empty. */
export function passwordIn(text: string): string {
  const password = text.replace(/\r?\n$/, '');
  if (password === '') throw new Error('it is empty');
  return password;
}

/** The names of the settings of one use of TLS; of a store that is spoken to by TLS because its URL says so, `tls` is null. */
export type TlsSettingNames = Record<'ca' | 'cert' | 'key', string> & { tls: string | null };

/** Cross-field rules of these settings. */
export function tlsRules({ tls, ca, cert, key }: TlsSettingNames): Rule[] {
  const pair: Rule[] = [
    { setting: key, holds: (all) => !all[cert] || Boolean(all[key]), error: `needed with ${cert}` },
    { setting: cert, holds: (all) => !all[key] || Boolean(all[cert]), error: `needed with ${key}` },
    {
      setting: key,
      holds: (all) => isPair(all[cert], all[key]),
      error: `is not the key of the certificate in ${cert}`,
    },
  ];
  if (tls === null) return pair;
  return [
    ...[ca, cert, key].map((setting): Rule => ({
      setting,
      holds: (all) => !all[setting] || all[tls] === true,
      error: `needs ${tls}=true`,
    })),
    ...pair,
  ];
}

/** Unreadable files are reported elsewhere. */
function isPair(cert: unknown, key: unknown): boolean {
  if (typeof cert !== 'string' || typeof key !== 'string') return true;
  try {
    return new X509Certificate(readFileSync(cert)).checkPrivateKey(createPrivateKey(readFileSync(key)));
  } catch {
    return true;
  }
}
