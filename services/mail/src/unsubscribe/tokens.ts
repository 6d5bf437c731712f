import { createHmac, timingSafeEqual } from 'node:crypto';
import { Unsubscription } from '@po/contracts';
import type { Database, Statement } from '@po/database';

const KEY: Statement = { name: 'unsubscribe-key', text: 'SELECT key FROM unsubscribe_key', rows: 1 };
/** Part of what is signed: the key signs nothing else today, and a signature for something else must never do here. */
const PURPOSE = 'unsubscribe.v1';

/** The tokens of links by which users turn mails off. They do not expire: a mail may be opened years later. */
export class UnsubscribeTokens {
  private key: Buffer | null = null;

  constructor(private readonly database: Database) {}

  async tokenOf(unsubscription: Unsubscription): Promise<string> {
    const payload = Buffer.from(JSON.stringify(unsubscription)).toString('base64url');
    return `${payload}.${(await this.signatureOf(payload)).toString('base64url')}`;
  }

  /** What a token is good for; null for one that was not made here. */
  async read(token: string): Promise<Unsubscription | null> {
    const [, payload, signature] = /^([\w-]+)\.([\w-]{43})$/.exec(token) ?? [];
    if (payload === undefined || signature === undefined) return null;
    if (!timingSafeEqual(await this.signatureOf(payload), Buffer.from(signature, 'base64url'))) return null;
    return Unsubscription.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  }

  private async signatureOf(payload: string): Promise<Buffer> {
    if (!this.key) {
      const [row] = await this.database.read<{ key: Buffer }>(null, KEY);
      this.key = row?.key ?? null;
    }
    if (!this.key) throw new Error('there is no key for the links of mails');
    return createHmac('sha256', this.key).update(`${PURPOSE}.${payload}`).digest();
  }
}
