import type { Locale } from '@po/contracts';

/** A changed field of the order or of a line. */
export interface ChangeRow {
  label: string;
  from: string;
  to: string;
}

/** An order in a mail about several orders. */
export interface OrderRow {
  order: string;
  url: string;
  vendor: string;
  what: string;
  status: string;
}

/** A block of a mail, rendered both as HTML and as plain text. */
export type Block =
  | { type: 'event'; what: string; who: string }
  | { type: 'comment'; text: string }
  | { type: 'changes'; rows: ChangeRow[] }
  | { type: 'orders'; rows: OrderRow[] }
  | { type: 'note'; text: string };

/** Content of a mail in one language. Texts may come from users and are never markup. */
export interface MailDocument {
  locale: Locale;
  subject: string;
  heading: string;
  blocks: Block[];
  button: { label: string; url: string };
  footer: { why: string; unsubscribe: { label: string; url: string } };
}
