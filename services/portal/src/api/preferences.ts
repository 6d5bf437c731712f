import type { PurchaseOrderClient } from '@po/client';
import { type Versioned, versioned } from './schemas.js';

/** When mail is sent of a kind of notification. */
export type MailMode = 'now' | 'digest' | 'off';
export const MAIL_KINDS = ['TRANSITION', 'MESSAGE', 'REMINDER'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** How a user wants to be notified. */
export interface Preferences {
  locale: 'en' | 'zh';
  timeZone: string;
  mail: Record<MailKind, MailMode>;
  digestAt: string;
}

const PATH = '/me/preferences';

interface Answer {
  data: Preferences;
  response: Response;
}

/** The operations of `/me/preferences`, which the generated types of the client do not have yet. */
interface PreferencesClient {
  GET: (path: typeof PATH, init: { signal: AbortSignal }) => Promise<Answer>;
  PUT: (path: typeof PATH, init: { headers: Record<string, string>; body: Preferences }) => Promise<Answer>;
}

const typedClient = (client: PurchaseOrderClient) => client as unknown as PreferencesClient;

export const readPreferences = async (
  client: PurchaseOrderClient,
  signal: AbortSignal,
): Promise<Versioned<Preferences>> => versioned(await typedClient(client).GET(PATH, { signal }));

/** All of them; refused with 412 where they were changed since this version was read. */
export const replacePreferences = async (
  client: PurchaseOrderClient,
  version: number,
  body: Preferences,
): Promise<Versioned<Preferences>> =>
  versioned(await typedClient(client).PUT(PATH, { headers: { 'If-Match': `"${version}"` }, body }));
