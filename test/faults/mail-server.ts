import { MailServer } from '@po/testing/mail-server';
import PostalMime from 'postal-mime';
import { HOST, reservePorts } from '../../deploy/local/processes/ports.js';

/** The parts of an accepted mail that the oracle needs. */
export interface AcceptedMail {
  /** The part of the Message-ID before "@". */
  messageId: string;
  to: readonly string[];
  /** PO numbers of the orders that the mail links to. */
  orders: readonly string[];
}

/** The mail server of the services. It can be stopped and restarted at the same address. */
export class FaultyMailServer {
  /** Mails in order of arrival; a repeated mail appears again. */
  readonly accepted: AcceptedMail[] = [];
  private server: MailServer | null = null;

  private constructor(private readonly port: number) {}

  static async start(dir: string): Promise<FaultyMailServer> {
    const { port } = await reservePorts(dir, ['port']);
    const server = new FaultyMailServer(port);
    await server.up();
    return server;
  }

  get url(): string {
    return `smtp://${HOST}:${this.port}`;
  }

  async up(): Promise<void> {
    const server = await MailServer.start({
      port: this.port,
      received: async ({ raw, to }) => {
        this.accepted.push({ ...(await readMail(raw)), to });
        // A mail takes about ten kilobytes, and a run has thousands of mails.
        server.mails.length = 0;
      },
    });
    this.server = server;
  }

  /** Stops the server, so that connections are refused. */
  async down(): Promise<void> {
    await this.server?.stop();
    this.server = null;
  }
}

async function readMail(raw: string): Promise<Pick<AcceptedMail, 'messageId' | 'orders'>> {
  const { messageId = '', text = '' } = await PostalMime.parse(raw);
  const orders = Array.from(text.matchAll(/\/orders\/([^\s/?#]+)/g), ([, poRef = '']) => decodeURIComponent(poRef));
  return { messageId: messageId.replace(/^<|@.*$/g, ''), orders };
}
