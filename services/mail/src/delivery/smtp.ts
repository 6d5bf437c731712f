import { readFile } from 'node:fs/promises';
import { passwordIn } from '@po/platform';
import { type SendMailOptions, createTransport } from 'nodemailer';
import { type Sender, domainOf, isLoopback } from '../smtp-settings.js';

const SILENT_MS = 30_000;

export interface SmtpSettings {
  SMTP_URL: string;
  SMTP_TLS?: 'required' | 'opportunistic' | undefined;
  SMTP_PASSWORD_FILE?: string | undefined;
  SMTP_TLS_CA_FILE?: string | undefined;
  DKIM_SELECTOR?: string | undefined;
  DKIM_KEY_FILE?: string | undefined;
  /** Milliseconds without a byte from the server after which an attempt ends; 30,000 if absent. */
  silentMs?: number;
}

/** What became of an attempt. `refused`: the server says that the address is wrong, which trying again does not change. */
type Attempt = { result: 'sent' } | { result: 'delayed' | 'refused'; reason: string };

/** Connections to the mail server for one round of mails, by the password and the authorities as they are now. */
export interface SmtpRound {
  send(message: SendMailOptions): Promise<Attempt>;
  close(): void;
}

/** RFC 8058: a mail reader offers one click only where both headers of it are signed. */
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

/** Opens a round of at most so many connections for mails of this sender. The first of them is made with the first mail. */
export async function openSmtp(
  settings: SmtpSettings,
  { address }: Sender,
  maxConnections: number,
): Promise<SmtpRound> {
  const { silentMs = SILENT_MS } = settings;
  const url = new URL(settings.SMTP_URL);
  const password = settings.SMTP_PASSWORD_FILE && passwordIn(await readFile(settings.SMTP_PASSWORD_FILE, 'utf8'));
  const ca = settings.SMTP_TLS_CA_FILE && (await readFile(settings.SMTP_TLS_CA_FILE, 'utf8'));
  const privateKey = settings.DKIM_KEY_FILE && (await readFile(settings.DKIM_KEY_FILE, 'utf8'));
  const secure = url.protocol === 'smtps:';
  const tls = settings.SMTP_TLS ?? (isLoopback(url.hostname) ? 'opportunistic' : 'required');
  const transport = createTransport({
    pool: true,
    maxConnections,
    // The queue repeats, by its own pace.
    maxRequeues: 0,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: tls === 'required',
    // RFC 7435: encryption by any certificate is better than none, where none would do.
    tls: { rejectUnauthorized: secure || tls === 'required', minVersion: 'TLSv1.2', ...(ca ? { ca } : {}) },
    ...(password ? { auth: { user: decodeURIComponent(url.username), pass: password } } : {}),
    ...(privateKey
      ? {
          dkim: {
            domainName: domainOf(address),
            keySelector: settings.DKIM_SELECTOR ?? '',
            privateKey,
            headerFieldNames: SIGNED_HEADERS,
          },
        }
      : {}),
    connectionTimeout: silentMs,
    greetingTimeout: silentMs,
    socketTimeout: silentMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // A connection that breaks between two mails: the next one opens another.
  transport.on('error', () => undefined);
  return {
    send: (message) =>
      transport.sendMail(message).then(
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
  /** Of each recipient that was refused. */
  rejectedErrors?: SmtpError[];
}

/** A 5xx reply to DATA is about the address only if its enhanced status code (RFC 3463) is: 5.1.x address, 5.2.x mailbox. */
const OF_ADDRESS = /^5\d\d[ -]5\.[12]\.\d/;
/** 5.7.x is the server's policy, such as a client that may not relay: no address is wrong because of it. */
const OF_POLICY = /^5\d\d[ -]5\.7\.\d/;

/** What an error of the mail server means for the mail. */
function attemptOf(error: SmtpError): Attempt {
  const cause = error.rejectedErrors?.[0] ?? error;
  const { command = '', responseCode = 0, response = cause.message } = cause;
  const permanent = responseCode >= 500 && responseCode < 600;
  const ofRecipient = command === 'RCPT TO' ? !OF_POLICY.test(response) : OF_ADDRESS.test(response);
  const refused = permanent && ofRecipient && (command === 'RCPT TO' || command === 'DATA');
  return { result: refused ? 'refused' : 'delayed', reason: response.replace(/\s+/g, ' ').slice(0, 300) };
}
