import { MailServer } from '@po/testing/mail-server';
import PostalMime from 'postal-mime';
import { HOST, takePorts } from '../../deploy/local/processes/ports.js';

/** What the oracle needs of a mail that was accepted. */
export interface AcceptedMail {
  /** Without what follows "@". */
  messageId: string;
  to: readonly string[];
  /** Orders that it leads to. */
  orders: readonly string[];
}

/** The mail server of the services, which goes away and comes back at the same address. */
export class FaultyMailServer {
  /** In the order of their arrival; a mail that came again is there again. */
  readonly accepted: AcceptedMail[] = [];
  private server: MailServer | null = null;

  private constructor(private readonly port: number) {}

  static async start(dir: string): Promise<FaultyMailServer> {
    const { port } = await takePorts(dir, ['port']);
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
        // Each is some ten kilobytes, and a run has thousands.
        server.mails.length = 0;
      },
    });
    this.server = server;
  }

  /** From now on connections are refused. */
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
