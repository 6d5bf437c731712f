import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { Identity } from './certificates.js';

/** A message that the server accepted. */
export interface ReceivedMail {
  from: string;
  to: string[];
  raw: string;
  /** The argument of EHLO. */
  greeting: string;
  /** The message was sent over TLS. */
  secure: boolean;
  /** The logged-in user. */
  user: string | null;
}

/** How a phase of a session ends: by an SMTP reply, a broken connection, or never. */
export type Fault = { code: number; text: string } | 'break' | 'hang';
type Phase = 'connect' | 'mail' | 'rcpt' | 'data';

export interface MailServerOptions {
  /** 0 for any free port. */
  port?: number;
  /** TLS from the first byte (`smtps`) or offered by STARTTLS; no TLS if absent. */
  tls?: Identity & { from: 'connect' | 'starttls' };
  /** If absent, no login is required. */
  login?: { user: string; password: string };
  /** Called in each phase; has the recipient's address from `rcpt` on. */
  faultAt?: (phase: Phase, address: string) => Fault | undefined;
  /** Called with each message before it is accepted. */
  received?: (mail: ReceivedMail) => Promise<void> | void;
}

/** A local SMTP server that stores the mails it receives and fails on demand. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  private readonly server: SMTPServer;

  private constructor(private readonly options: MailServerOptions) {
    const { tls, login, received } = options;
    this.server = new SMTPServer({
      logger: false,
      secure: tls?.from === 'connect',
      ...(tls ? { key: tls.key, cert: tls.cert } : {}),
      disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
      authOptional: !login,
      disableReverseLookup: true,
      closeTimeout: 100,
      onAuth: ({ username, password }, _session, done) =>
        login && username === login.user && password === login.password
          ? done(null, { user: username })
          : done(Object.assign(new Error('wrong user or password'), { responseCode: 535 })),
      onConnect: (session, done) => this.pass('connect', session, '', done),
      onMailFrom: (_from, session, done) => this.pass('mail', session, '', done),
      onRcptTo: ({ address }, session, done) => this.pass('rcpt', session, address, done),
      onData: (stream, session, done) => {
        const accept = async () => {
          const raw = await text(stream);
          const to = session.envelope.rcptTo.map(({ address }) => address);
          const { mailFrom } = session.envelope;
          const mail = {
            from: mailFrom ? mailFrom.address : '',
            to,
            raw,
            greeting: session.hostNameAppearsAs,
            secure: session.secure,
            user: typeof session.user === 'string' ? session.user : null,
          };
          this.pass('data', session, to[0] ?? '', (error) => {
            if (error) return done(error);
            this.mails.push(mail);
            return Promise.resolve(received?.(mail)).then(() => done(), done);
          });
        };
        accept().catch(done);
      },
    });
    // Errors of clients that have disconnected.
    this.server.on('error', () => undefined);
  }

  static async start(options: MailServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.server.once('error', reject);
    server.server.listen(options.port ?? 0, '127.0.0.1', resolve);
    await promise;
    return server;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  get url(): string {
    const { tls, login } = this.options;
    return `${tls?.from === 'connect' ? 'smtps' : 'smtp'}://${login ? `${login.user}@` : ''}127.0.0.1:${this.port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }

  private pass(phase: Phase, session: SMTPServerSession, address: string, done: (error?: Error | null) => void): void {
    const fault = this.options.faultAt?.(phase, address);
    if (fault === 'hang') return;
    if (fault === 'break') this.break(session);
    else if (fault) done(Object.assign(new Error(fault.text), { responseCode: fault.code }));
    else done();
  }

  private break({ id }: SMTPServerSession): void {
    for (const connection of this.server.connections) if (connection.id === id) connection._socket.destroy();
  }
}
