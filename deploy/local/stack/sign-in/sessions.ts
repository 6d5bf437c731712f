import { type DemoUserName, isDemoUser } from '../../demo/users.js';

const LIFETIME_S = 24 * 60 * 60;

/** Sessions of the demo provider in a cookie that names the user. Anybody may sign in as any demo user, so it is not signed. */
export class Sessions {
  private readonly cookie: string;

  /** Cookies ignore ports, so two providers on one machine need different cookie names, which their key IDs give. */
  constructor(keyId: string) {
    this.cookie = `po_demo_${keyId.slice(0, 8)}`;
  }

  userOf(cookies: string | undefined): DemoUserName | null {
    const [, value = ''] = new RegExp(`(?:^|; )${this.cookie}=([^;]*)`).exec(cookies ?? '') ?? [];
    const name = decodeURIComponent(value);
    return isDemoUser(name) ? name : null;
  }

  /** Value of a Set-Cookie header; null signs the user out. */
  headerFor(user: DemoUserName | null): string {
    const value = encodeURIComponent(user ?? '');
    return `${this.cookie}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${user === null ? 0 : LIFETIME_S}`;
  }
}
