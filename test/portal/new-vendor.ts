import { randomUUID } from 'node:crypto';
import { eventually } from '@po/testing/eventually';
import type { Page } from 'playwright-core';
import { type Api, apiClient } from '../support/api-client.js';
import { type DemoUser, readStack } from '../support/stack.js';
import { rowsOf } from '../support/rows.js';
import { tokenOf } from '../support/tokens.js';
import { type Visitor } from './visitors.js';

/** A vendor that nobody else knows: numbers of its pages move by what a test does alone, and its policy approves no other orders. */
export class NewVendor {
  readonly code = `NEW-${randomUUID().slice(0, 8).toUpperCase()}`;
  readonly company = { code: this.code, name: `${this.code} Ltd.` };

  /** Who signs in, in the language of that user, is the vendor's for the API. */
  async signIn(visitor: Visitor, user: DemoUser, path = '/dashboard'): Promise<Page> {
    await visitor.isKnownBy(await this.token('visitor'));
    return visitor.signIn(user, path);
  }

  /** Resolves when who visits gets notifications: of nothing that happened before. */
  async isTold(): Promise<void> {
    const { databaseUrls } = readStack();
    const known = () =>
      rowsOf(databaseUrls.notifications, 'SELECT 1 FROM users WHERE user_id = $1', [`${this.code}-visitor`]);
    await eventually('who visits is known', async () => (await known()).length === 1);
  }

  async colleague(): Promise<Api> {
    return apiClient(readStack().gatewayUrl, await this.token('colleague'));
  }

  private token(who: string): Promise<string> {
    return tokenOf('vendor:ACME', { sub: `${this.code}-${who}`, vendor_code: this.code });
  }
}
