import { randomUUID } from 'node:crypto';
import { eventually } from '@po/testing/eventually';
import type { Page } from 'playwright-core';
import { type Api, apiClient } from '../support/api-client.js';
import { type DemoUser, readStack } from '../support/stack.js';
import { rowsOf } from '../support/rows.js';
import { tokenOf } from '../support/tokens.js';
import { type Visitor } from './visitors.js';

/** A new vendor: only its own test changes the numbers on its pages, and its policy approves no orders of other tests. */
export class NewVendor {
  readonly code = `NEW-${randomUUID().slice(0, 8).toUpperCase()}`;
  readonly company = { code: this.code, name: `${this.code} Ltd.` };

  /** Signs in with the language of `user`; for the API the visitor is a user of this vendor. */
  async signIn(visitor: Visitor, user: DemoUser, path = '/dashboard'): Promise<Page> {
    await visitor.useToken(await this.token('visitor'));
    return visitor.signIn(user, path);
  }

  /** Resolves when the visitor is in the directory, and so gets notifications about later events. */
  async isInDirectory(): Promise<void> {
    const { databaseUrls } = readStack();
    const known = () =>
      rowsOf(databaseUrls.notifications, 'SELECT 1 FROM users WHERE user_id = $1', [`${this.code}-visitor`]);
    await eventually('the visitor is in the directory', async () => (await known()).length === 1);
  }

  async colleague(): Promise<Api> {
    return apiClient(readStack().gatewayUrl, await this.token('colleague'));
  }

  private token(who: string): Promise<string> {
    return tokenOf('vendor:ACME', { sub: `${this.code}-${who}`, vendor_code: this.code });
  }
}
