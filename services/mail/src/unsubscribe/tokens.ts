import { createHmac, timingSafeEqual } from 'node:crypto';
import { Unsubscription } from '@po/contracts';
import type { Database, Statement } from '@po/database';

const KEY: Statement = { name: 'unsubscribe-key', text: 'SELECT key FROM unsubscribe_key', rows: 1 };
/** Part of the signed text, so that a signature made with this key for another purpose would not be accepted. */
const PURPOSE = 'unsubscribe.v1';

/** Tokens of unsubscribe links. They do not expire, because a mail may be opened years later. */
export class UnsubscribeTokens {
  private key: Buffer | null = null;

  constructor(private readonly database: Database) {}

  async tokenOf(unsubscription: Unsubscription): Promise<string> {
    const payload = Buffer.from(JSON.stringify(unsubscription)).toString('base64url');
    return `${payload}.${(await this.signatureOf(payload)).toString('base64url')}`;
  }

  /** The unsubscription of a token; null for a token that this service did not sign. */
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
    if (!this.key) throw new Error('the key for unsubscribe links is missing');
    return createHmac('sha256', this.key).update(`${PURPOSE}.${payload}`).digest();
  }
}
