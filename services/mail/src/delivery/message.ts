import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import { html } from '../content/html.js';
import type { MailDocument } from '../content/document.js';
import { plainText } from '../content/plain-text.js';
import { type Mailbox, domainOf } from '../smtp-settings.js';

export interface MessageOptions {
  from: Mailbox;
  to: string;
  document: MailDocument;
  /** Ids of all notifications of the mail, including hidden ones, so that they stay the same when the mail is sent again. */
  notificationIds: readonly string[];
  /** The order; null if the mail is about several. */
  poRef: string | null;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** An RFC 5322 message id, derived from the text. */
const messageId = (text: string, { address }: Mailbox): string => `<${digest(text)}@${domainOf(address)}>`;

/** Characters of an encoded word: at most 44 bytes, so that the word stays below the 75 characters of RFC 2047. */
const WORD = /.{1,11}/gsu;

/**
 * User text that looks like an encoded word (RFC 2047) would be sent unchanged and decoded by readers to unchecked content, so it is
 * encoded again.
 */
function subjectOf({ subject }: MailDocument): Pick<SendMailOptions, 'subject'> & { headers?: object } {
  if (!subject.includes('=?')) return { subject };
  const words = (subject.match(WORD) ?? []).map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`);
  return { headers: { Subject: { prepared: true, foldLines: true, value: words.join(' ') } } };
}

/**
 * The shorter encoding: quoted-printable takes three bytes per non-ASCII byte, nine for a Chinese character; base64 takes four per three.
 */
function encodingOf(text: string): 'quoted-printable' | 'base64' {
  const bytes = Buffer.byteLength(text);
  const ascii = text.match(/[\0-\x7f]/g)?.length ?? 0;
  return ascii + 3 * (bytes - ascii) > (4 / 3) * bytes ? 'base64' : 'quoted-printable';
}

/** Builds the message to send. The addresses are already validated; user text appears only in the body and the encoded subject. */
export function messageOf({ from, to, document, notificationIds, poRef }: MessageOptions): SendMailOptions {
  const subject = subjectOf(document);
  const bodies = { text: plainText(document), html: html(document) };
  return {
    envelope: { from: from.address, to: [to] },
    from,
    to: { name: '', address: to },
    ...subject,
    messageId: messageId(notificationIds.toSorted().join('\n'), from),
    ...(poRef === null ? {} : { references: messageId(`order ${poRef}`, from) }),
    headers: {
      ...subject.headers,
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': `<${document.footer.unsubscribe.url}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    ...bodies,
    textEncoding: encodingOf(bodies.text + bodies.html),
    // Never reads files or fetches URLs, whatever the content.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
