import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { type Api, apiClient } from '../support/api-client.js';
import { type DemoUser, readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';
import type { VisitorOptions, Visitors } from './visitors.js';

/** For the API a new user, unknown to other tests, with the rights of this user. */
export class NewUser {
  private constructor(
    private readonly visitors: Visitors,
    private readonly demoUser: DemoUser,
    readonly token: string,
    readonly name: string,
  ) {}

  static async withRightsOf(visitors: Visitors, user: DemoUser): Promise<NewUser> {
    const id = randomUUID().slice(0, 8);
    const name = `User ${id}`;
    return new NewUser(visitors, user, await tokenOf(user, { sub: `new-${id}`, name }), name);
  }

  /** Opens a page in a separate browser context. */
  async visit(path: string, options: VisitorOptions = {}): Promise<Page> {
    const visitor = await this.visitors.visit(options);
    await visitor.useToken(this.token);
    return visitor.signIn(this.demoUser, path);
  }

  get api(): Api {
    return apiClient(readStack().gatewayUrl, this.token);
  }

  async names(): Promise<string[]> {
    const { body } = await this.api.get('/views');
    return (body as { name: string; mine: boolean }[]).filter(({ mine }) => mine).map(({ name }) => name);
  }

  /** Stores one view per name, which searches for that name. */
  async store(names: readonly string[]): Promise<void> {
    for (const name of names) await this.api.post('/views', { name, query: { search: name } });
  }
}
