import { createHmac, timingSafeEqual } from 'node:crypto';
import { type DemoUserName, isDemoUser } from '../../demo/users.js';
import type { PrivateJwk } from '../keys.js';

const LIFETIME_S = 24 * 60 * 60;

/** Sessions of the demo provider in a signed cookie, so that they outlive a restart. */
export class Sessions {
  private readonly cookie: string;

  constructor(private readonly key: PrivateJwk) {
    // Cookies ignore ports, so two providers on one machine need different cookie names.
    this.cookie = `po_demo_${this.sign('name').slice(0, 8).replaceAll(/\W/g, '_')}`;
  }

  userOf(cookies: string | undefined): DemoUserName | null {
    const [, value = ''] = new RegExp(`(?:^|; )${this.cookie}=([^;]*)`).exec(cookies ?? '') ?? [];
    const [name = '', signature = ''] = value.split('.').map(decodeURIComponent);
    const expected = Buffer.from(this.sign(name));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected) && isDemoUser(name) ? name : null;
  }

  /** Value of a Set-Cookie header; null signs the user out. */
  headerFor(user: DemoUserName | null): string {
    const value = user === null ? '' : `${encodeURIComponent(user)}.${this.sign(user)}`;
    return `${this.cookie}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${user === null ? 0 : LIFETIME_S}`;
  }

  private sign(text: string): string {
    return createHmac('sha256', JSON.stringify(this.key)).update(text).digest('base64url');
  }
}
