import type { Locale } from '@po/contracts';

/** A field or a line that moved. */
export interface ChangeRow {
  label: string;
  from: string;
  to: string;
}

/** An order of a mail about several. */
export interface OrderRow {
  order: string;
  url: string;
  vendor: string;
  what: string;
  status: string;
}

/** A part of a mail. HTML and plain text are two renderings of the same ones. */
export type Block =
  | { type: 'event'; what: string; who: string }
  | { type: 'comment'; text: string }
  | { type: 'changes'; rows: ChangeRow[] }
  | { type: 'orders'; rows: OrderRow[] }
  | { type: 'note'; text: string };

/** What a mail says, in one language. Its texts come from users and are no markup. */
export interface MailDocument {
  locale: Locale;
  subject: string;
  heading: string;
  blocks: Block[];
  button: { label: string; url: string };
  footer: { why: string; unsubscribe: { label: string; url: string } };
}
