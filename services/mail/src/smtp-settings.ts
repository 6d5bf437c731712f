import { createPrivateKey } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { fileWith, percentDecoded } from '@po/platform';
import { z } from 'zod';

const FORM =
  'must be smtp://[user@]host[:port] or smtps://[user@]host[:port]; a password belongs in SMTP_PASSWORD_FILE';

/** URL of the mail server, without a password, which belongs in a file. */
export const smtpUrl = z
  .string()
  // The Helm chart also reads the URL; its values must not contain a password, because they end up in pod specifications.
  .regex(/^$|^smtps?:\/\/([^:/?#]*@)?[^/?#@]+\/?$/, { error: FORM, abort: true })
  .refine((text) => URL.canParse(text) && new URL(text).hostname !== '', { error: FORM, abort: true })
  .refine((text) => percentDecoded(new URL(text).username) !== null, {
    error: 'must have a user in percent-encoded UTF-8, with % itself as %25',
  });

/** Path of a PEM file with the private key that signs mails. RFC 8301 forbids RSA keys below 1,024 bits. */
export const rsaKeyFile = fileWith('a PEM private RSA key of 1,024 bits or more, without a passphrase', (text) => {
  const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(text);
  if (asymmetricKeyType !== 'rsa') throw new Error(`it is ${asymmetricKeyType}`);
  if ((asymmetricKeyDetails?.modulusLength ?? 0) < 1_024) throw new Error('it is too short');
});

/** Whether the host of a URL is this machine, so that no one can intercept the connection. */
export const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** An address with a display name (RFC 5322, 3.4). */
export interface Mailbox {
  name: string;
  address: string;
}

/**
 * Whether the text is one address that is safe in an envelope and a header: no control character, space, quote, comma, angle bracket or
 * second "@". Rarer forms of RFC 5321, such as quoted ones, are refused.
 */
export const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s\p{C}<>()[\]\\,;:"@]{1,64}@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(text);

/** The domain of an address, in ASCII: without SMTPUTF8, no other may be in a Message-ID (RFC 5322, 3.6.4) or a greeting. */
export function domainOf(address: string): string {
  const domain = address.slice(address.indexOf('@') + 1);
  return /[^\0-\x7f]/.test(domain) ? domainToASCII(domain) || domain : domain;
}

/** The mailbox in a text such as `Orders <orders@example.com>`, or null. */
export function readMailbox(text: string): Mailbox | null {
  const [, name = '', bracketed, alone] = /^(?:([^<>\p{C}]*)<([^<>]*)>|([^<>]*))$/u.exec(text.trim()) ?? [];
  const address = bracketed ?? alone ?? '';
  return isAddress(address) ? { name: name.trim().replace(/^"(.*)"$/, '$1'), address } : null;
}
