import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import { html } from '../content/html.js';
import type { MailDocument } from '../content/document.js';
import { plainText } from '../content/plain-text.js';
import { type Mailbox, domainOf } from '../smtp-settings.js';

export interface Addressed {
  from: Mailbox;
  to: string;
  document: MailDocument;
  /** Of every notification of the mail, also those that are not shown any more: they stay the same when it is sent again. */
  notificationIds: readonly string[];
  /** The order, where it is about one. */
  poRef: string | null;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** An RFC 5322 message id, the same for the same text. */
const messageId = (text: string, { address }: Mailbox): string => `<${digest(text)}@${domainOf(address)}>`;

/** Characters of an encoded word: at most 44 bytes, so that it stays below the 75 characters of RFC 2047. */
const WORD = /.{1,11}/gsu;

/**
 * Text of users that is itself an encoded word (RFC 2047) would be sent as it is, and decoded by readers to what nobody checked: it is
 * encoded once more.
 */
function subjectOf({ subject }: MailDocument): Pick<SendMailOptions, 'subject'> & { headers?: object } {
  if (!subject.includes('=?')) return { subject };
  const words = (subject.match(WORD) ?? []).map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`);
  return { headers: { Subject: { prepared: true, foldLines: true, value: words.join(' ') } } };
}

/** The shorter one: quoted-printable has three bytes for one that is not ASCII, nine for a Chinese character; base64 four for three. */
function encodingOf(text: string): 'quoted-printable' | 'base64' {
  const bytes = Buffer.byteLength(text);
  const ascii = text.match(/[\0-\x7f]/g)?.length ?? 0;
  return ascii + 3 * (bytes - ascii) > (4 / 3) * bytes ? 'base64' : 'quoted-printable';
}

/** The message as it is sent: addresses are checked before, and every text of users is in the body or the encoded subject. */
export function messageOf({ from, to, document, notificationIds, poRef }: Addressed): SendMailOptions {
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
    // Nothing of a mail is read from a file or fetched, whatever stands in it.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
