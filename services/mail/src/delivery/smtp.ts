import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { passwordIn, readAuthorities } from '@po/platform';
import { type SendMailOptions, createTransport } from 'nodemailer';
import { type Mailbox, domainOf, isLoopback } from '../smtp-settings.js';

const SILENT_MS = 30_000;
/**
 * A server may scan a mail before it answers the final dot, and may deliver the mail even if the client has disconnected: a client that
 * leaves too early sends the mail twice. RFC 5321 (4.5.3.2.6) says 10 minutes, but a hanging session delays the next round.
 */
const ANSWER_MS = 2 * 60_000;
/** A server that is slow at each step must not outlast the mail's lease: another replica would also send the mail. */
const ATTEMPT_MS = 5 * 60_000;

export interface SmtpSettings {
  SMTP_URL: string;
  SMTP_TLS?: 'required' | 'opportunistic' | undefined;
  SMTP_PASSWORD_FILE?: string | undefined;
  SMTP_TLS_CA_FILE?: string | undefined;
  DKIM_SELECTOR?: string | undefined;
  DKIM_KEY_FILE?: string | undefined;
  /** Maximum milliseconds for the connection and for its greeting; 30,000 if absent. */
  silentMs?: number;
  /** Maximum milliseconds without a byte from the server after its greeting; 120,000 if absent. */
  answerMs?: number;
  /** Maximum milliseconds of an attempt; 300,000 if absent. */
  attemptMs?: number;
}

/** Result of an attempt. `refused`: the server reports a wrong address, so a retry is useless. */
type Attempt = { result: 'sent' } | { result: 'delayed' | 'refused'; reason: string };

/** Connections to the mail server for one round of mails, with the current password and CAs. */
export interface SmtpSession {
  send(message: SendMailOptions): Promise<Attempt>;
  close(): void;
}

/** RFC 8058: mail readers offer one-click unsubscribing only if both of its headers are signed. */
const SIGNED = [
  'From',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'References',
  'MIME-Version',
  'Content-Type',
  'Auto-Submitted',
];
const SIGNED_HEADERS = [...SIGNED, 'List-Unsubscribe', 'List-Unsubscribe-Post'].join(':');

/** Prepares a round of at most `maxConnections` connections for mails of this sender. The first mail opens the first connection. */
export async function openSmtp(
  settings: SmtpSettings,
  { address }: Mailbox,
  maxConnections: number,
): Promise<SmtpSession> {
  const { silentMs = SILENT_MS, answerMs = ANSWER_MS, attemptMs = ATTEMPT_MS } = settings;
  const url = new URL(settings.SMTP_URL);
  const password = settings.SMTP_PASSWORD_FILE && passwordIn(await readFile(settings.SMTP_PASSWORD_FILE, 'utf8'));
  const ca = settings.SMTP_TLS_CA_FILE && readAuthorities(settings.SMTP_TLS_CA_FILE);
  const privateKey = settings.DKIM_KEY_FILE && (await readFile(settings.DKIM_KEY_FILE, 'utf8'));
  // Nodemailer sends mails unsigned if it cannot use the key.
  if (privateKey !== undefined) createPrivateKey(privateKey);
  const secure = url.protocol === 'smtps:';
  const tls = settings.SMTP_TLS ?? (isLoopback(url.hostname) ? 'opportunistic' : 'required');
  const domain = domainOf(address);
  const transport = createTransport({
    // By default EHLO has the host's name, or a loopback address if that has no dot: some relays refuse both.
    name: domain,
    pool: true,
    maxConnections,
    // Retries are left to the mail queue and its schedule.
    maxRequeues: 0,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: tls === 'required',
    // RFC 7435: if TLS is optional, encryption with an unverified certificate is better than none.
    tls: { rejectUnauthorized: secure || tls === 'required', minVersion: 'TLSv1.2', ...(ca ? { ca } : {}) },
    ...(password ? { auth: { user: decodeURIComponent(url.username), pass: password } } : {}),
    ...(privateKey
      ? {
          dkim: {
            domainName: domain,
            keySelector: settings.DKIM_SELECTOR ?? '',
            privateKey,
            headerFieldNames: SIGNED_HEADERS,
          },
        }
      : {}),
    connectionTimeout: silentMs,
    greetingTimeout: silentMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // A connection broke between two mails: the next mail opens a new one.
  transport.on('error', () => undefined);
  return {
    send: (message) =>
      transport.sendMail({ ...message, signal: AbortSignal.timeout(attemptMs) }).then(
        () => ({ result: 'sent' }) as const,
        (error: unknown) => attemptOf(error as SmtpError),
      ),
    close: () => transport.close(),
  };
}

interface SmtpError extends Error {
  /** The phase that failed. */
  command?: string;
  responseCode?: number;
  response?: string;
  /** One error per refused recipient. */
  rejectedErrors?: SmtpError[];
}

/**
 * A 5xx reply to DATA is about the recipient only if its enhanced status code is about the address or the mailbox (RFC 3463; 5.1.10: RFC
 * 7505).
 */
const OF_ADDRESS = /^5\d\d[ -]5\.(?:1\.(?:[1-6]|10)|2\.[1-4])(?!\d)/;
/**
 * A 5xx reply to RCPT is about the recipient unless it is about this client, which many servers check only at RCPT: the sender (5.1.7,
 * 5.1.8), the server (5.3), a limit of the sender (5.4.5), earlier commands (503, 530, 5.5, except 5.5.0, which Outlook.com uses for
 * mailboxes), a policy (5.7) or temporary (4). Some replies have no such code, or have it only in the text. Words within an address do not
 * count, nor those that Postfix and Domino use for an unknown recipient. A missing phrase costs users all their mail, one too many only
 * retries.
 */
const OF_CLIENT = [
  /^5(?:03|30)/,
  /^5\d\d[ -](?:5\.1\.[78](?!\d)|4\.\d+\.\d)/,
  /^5\d\d.*\b5\.(?:[37]\.\d|4\.5|5\.[1-9])/,
  /\b(?:senders?|relay\w*|rcpthosts|authenticat\w*|helo|ehlo|reputation)\b/i,
  /\b(?:(?:black|block)[- ]?list\w*|blocked using|dnsbl|rbl|spamhaus|spamcop|your ip|sending (?:limit|quota)s?)\b/i,
  /\b(?:spam|spf|dmarc|dkim|polic(?:y|ies)|(?:frequency|rate) limit\w*|too many|client host|reverse dns)\b/i,
  /\b(?:black ip|ip (?:address|is rejected)|(?<!not )listed (?:at|in|on|by))\b/i,
];

const isOfClient = (response: string): boolean => {
  const text = response.replaceAll(/<[^>]*>|in relay recipient table/g, '');
  return OF_CLIENT.some((reply) => reply.test(text));
};

/** Result of an attempt that ended with this error. */
function attemptOf(error: SmtpError): Attempt {
  const cause = error.rejectedErrors?.[0] ?? error;
  const { command = '', responseCode = 0, response = cause.message } = cause;
  const permanent = responseCode >= 500 && responseCode < 600;
  const ofRecipient = command === 'RCPT TO' ? !isOfClient(response) : OF_ADDRESS.test(response);
  const refused = permanent && ofRecipient && (command === 'RCPT TO' || command === 'DATA');
  return { result: refused ? 'refused' : 'delayed', reason: response.replace(/\s+/g, ' ').slice(0, 300) };
}
