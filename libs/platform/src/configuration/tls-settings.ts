import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Rule } from './cross-field-rules.js';
import { certificatesIn } from '../tls/tls-files.js';

/** Path of a file that must exist and have valid content at startup; later content is not checked here. */
export const fileWith = (what: string, read: (text: string) => unknown) =>
  z.string().superRefine((path, context) => {
    try {
      read(readFileSync(path, 'utf8'));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      context.addIssue({ code: 'custom', message: `must be the path of a file with ${what}: ${reason}` });
    }
  });

/** Path of a PEM file with CA certificates, or with a client certificate followed by its intermediates. */
export const certificateFile = fileWith('PEM certificates', certificatesIn);

/** Path of a PEM file with a private key. */
export const keyFile = fileWith('a PEM private key that has no passphrase', createPrivateKey);

/** Path of a file that contains only a password. */
export const passwordFile = fileWith('a password', passwordIn);

/** Returns the text without a trailing line break. Throws if it is empty. */
export function passwordIn(text: string): string {
  const password = text.replace(/\r?\n$/, '');
  if (password === '') throw new Error('it is empty');
  return password;
}

/** Names of the TLS settings for one store. `tls` is null if the URL of the store decides whether TLS is used. */
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

// True for unreadable files, because they are reported elsewhere.
function isPair(cert: unknown, key: unknown): boolean {
  if (typeof cert !== 'string' || typeof key !== 'string') return true;
  try {
    return new X509Certificate(readFileSync(cert)).checkPrivateKey(createPrivateKey(readFileSync(key)));
  } catch {
    return true;
  }
}
