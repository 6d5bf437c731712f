import { type Locale, MAX_EXCERPT, type NotificationKind, actionLabels, isStatusId, statusOf } from '@po/contracts';
import type { QueuedNotification } from '../queue/queued-notification.js';
import type { Block, ChangeRow, MailDocument, OrderRow } from './document.js';
import { TEXTS } from './texts.js';
import { truncate, truncateLines, dateIn, instantIn, valueIn } from './values.js';

/**
 * Limits of a mail: orders in its table, entries of one order, changed values, and characters of comments. They keep the sent mail below 60
 * KB.
 */
const MAX_ORDERS = 50;
/** Maximum bytes of the order rows, which are in the HTML and in the plain text and grow by a third when encoded. */
const MAX_ROWS = 34_000;
const MARKUP_OF_ROW = 90;
const MAX_EVENTS = 10;
const MAX_CHANGES = 20;
const MAX_COMMENTS = 1_800;
const MAX_SUBJECT = 150;
const MAX_NAME = 60;

export interface ComposeOptions {
  mode: 'now' | 'digest';
  locale: Locale;
  timeZone: string;
  /** Base URL of the portal, without a trailing slash. */
  publicUrl: string;
  unsubscribeUrl: string;
}

/** The order of each notification. */
type Counted = readonly { poRef: string | null }[];

/**
 * Composes a mail about notifications of one user, in order of occurrence. `all` are the notifications that it counts, if there are more.
 */
export function composeMail(
  of: readonly QueuedNotification[],
  composing: ComposeOptions,
  all: Counted = of,
): MailDocument {
  const { mode, locale, publicUrl, unsubscribeUrl } = composing;
  // Records of several topics arrive in any order.
  const notifications = of.toSorted((a, b) => happenedAt(a) - happenedAt(b));
  const texts = TEXTS[locale];
  const orders = new Set(all.map(({ poRef }) => poRef)).size;
  const about =
    orders === 1 ? aboutOrder(notifications, all.length, composing) : aboutOrders(notifications, all, composing);
  const subject = mode === 'digest' ? `${texts.digest}${locale === 'zh' ? '：' : ': '}${about.subject}` : about.subject;
  return {
    locale,
    subject: truncate(subject, MAX_SUBJECT),
    heading: about.heading,
    blocks: about.blocks,
    button: { label: about.button, url: `${publicUrl}${about.path}` },
    footer: { why: texts.why, unsubscribe: { label: texts.unsubscribe, url: unsubscribeUrl } },
  };
}

const happenedAt = ({ createdAt, occurredAt = createdAt }: QueuedNotification): number => Date.parse(occurredAt);

interface About extends Pick<MailDocument, 'subject' | 'heading' | 'blocks'> {
  button: string;
  path: string;
}

/** Path in the portal to the change or message of a notification, otherwise to its order. */
export function pathOf({
  poRef,
  historyId,
  messageId,
}: Pick<QueuedNotification, 'poRef' | 'historyId' | 'messageId'>): string {
  const order = `/orders/${encodeURIComponent(poRef)}`;
  if (historyId !== null) return `${order}#entry-${historyId}`;
  return messageId ? `${order}#message-${messageId}` : order;
}

function aboutOrder(notifications: readonly QueuedNotification[], count: number, composing: ComposeOptions): About {
  const { locale } = composing;
  const texts = TEXTS[locale];
  const newest = notifications.at(-1) as QueuedNotification;
  const shown = notifications.slice(-MAX_EVENTS);
  const poNumber = truncate(newest.poNumber, MAX_NAME);
  const blocks = shown.flatMap((notification) => eventBlocks(notification, shown.length, composing));
  const earlier = count - shown.length;
  if (earlier > 0) blocks.unshift({ type: 'note', text: texts.earlierEvents(earlier) });
  return {
    subject: count === 1 ? titleOf(newest, locale) : texts.subjectOfOrder(poNumber, count),
    heading: `${poNumber} · ${truncate(newest.vendor, MAX_NAME)}`,
    blocks,
    button: texts.openOrder,
    path: pathOf(newest),
  };
}

function eventBlocks(notification: QueuedNotification, shown: number, composing: ComposeOptions): Block[] {
  const { locale } = composing;
  const { kind, action, actorRole, comment, changes } = notification;
  const blocks: Block[] = [
    { type: 'event', what: whatHappened(notification, locale), who: whoAndWhen(notification, composing) },
  ];
  // An approval policy comments in English; `who` already says that it approved.
  const isByPolicy = action === 'APPROVE' && actorRole === 'SYSTEM';
  if (comment !== null && !isByPolicy) {
    // A message of this length is probably only the beginning of a longer one.
    const isCut = kind === 'MESSAGE' && Array.from(comment).length >= MAX_EXCERPT;
    const text = truncateLines(isCut ? `${comment}…` : comment, Math.floor(MAX_COMMENTS / shown));
    blocks.push({ type: 'comment', text });
  }
  if (!changes) return blocks;
  const rows = changeRows(changes, locale);
  const most = Math.floor(MAX_CHANGES / shown);
  if (rows.length > 0) blocks.push({ type: 'changes', rows: rows.slice(0, most) });
  const more = changes.more + Math.max(0, rows.length - most);
  if (more > 0) blocks.push({ type: 'note', text: TEXTS[locale].moreChanges(more) });
  return blocks;
}

function changeRows({ header, lines }: NonNullable<QueuedNotification['changes']>, locale: Locale): ChangeRow[] {
  const names = TEXTS[locale].header;
  const row = (field: string, from: string | number | null, to: string | number | null, of = ''): ChangeRow => ({
    label: `${names[field] ?? truncate(field, MAX_NAME)}${of && ` · ${of}`}`,
    from: valueIn(locale, field, from),
    to: valueIn(locale, field, to),
  });
  return [
    ...header.map(({ field, from, to }) => row(field, from, to)),
    ...lines.map(({ field, from, to, code, color, size }) => row(field, from, to, joinParts([code, color, size]))),
  ];
}

/** Joins the parts of a name. If it is too long, its longest parts are cut, so that the size of a line remains. */
function joinParts(parts: readonly string[], max = MAX_NAME): string {
  const name = parts.map((part) => truncate(part, max)).join(' / ');
  return name.length > MAX_NAME ? joinParts(parts, max - 1) : name;
}

type Phrase = (notification: QueuedNotification, locale: Locale) => string;

/** The title with a cut name, because in Chinese only its end says whether a message is internal. */
const titleOf = ({ actorName, title, titleZh }: QueuedNotification, locale: Locale): string =>
  (locale === 'zh' ? titleZh : title).replace(actorName ?? '', (name) => truncate(name, MAX_NAME));

/** The title without the order number, which is shown next to it. */
function ownTitle(notification: QueuedNotification, locale: Locale): string {
  const title = titleOf(notification, locale);
  if (locale === 'zh') return title.replace(`${notification.poNumber}：`, '');
  const text = title.replace(`${notification.poNumber}: `, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Short description of a notification, by kind. */
const PHRASES: Record<string, Phrase> = {
  TRANSITION: ({ action, fromStatusId, toStatusId, toStatus, toStatusZh }, locale) => {
    const { label, labelZh } = actionLabels(action ?? '');
    const [did, to] = locale === 'zh' ? [labelZh, toStatusZh] : [label, toStatus];
    const from = fromStatusId !== null && fromStatusId !== toStatusId ? statusIn(fromStatusId, locale) : null;
    return `${did}${locale === 'zh' ? '：' : ': '}${from ? `${from} → ${to}` : to}`;
  },
  MESSAGE: ownTitle,
  REMINDER: ownTitle,
} satisfies Record<NotificationKind, Phrase>;

function whatHappened(notification: QueuedNotification, locale: Locale): string {
  return truncate(PHRASES[notification.kind]?.(notification, locale) ?? '', 100);
}

function statusIn(statusId: number, locale: Locale): string | null {
  if (!isStatusId(statusId)) return null;
  const { status, statusZh } = statusOf(statusId);
  return locale === 'zh' ? statusZh : status;
}

function whoAndWhen(
  { action, actorName, actorRole, reminder, createdAt, occurredAt = createdAt }: QueuedNotification,
  { locale, timeZone }: ComposeOptions,
): string {
  const texts = TEXTS[locale];
  const when = instantIn(locale, timeZone, occurredAt);
  if (reminder) return [texts.dueOn(dateIn(locale, reminder.dueOn)), when].join(' · ');
  const role = texts.roles[actorRole];
  const who = actorName === null ? null : truncate(actorName, MAX_NAME);
  const system = action === 'APPROVE' ? texts.approvalPolicy : texts.inventorySystem;
  return [...(who === null && !role ? [system] : [who, role]), when].filter(Boolean).join(' · ');
}

function aboutOrders(
  notifications: readonly QueuedNotification[],
  all: Counted,
  { locale, publicUrl }: ComposeOptions,
): About {
  const texts = TEXTS[locale];
  const ofOrder = Map.groupBy(all, ({ poRef }) => poRef);
  // A map keeps the last value of each key.
  const newestOf = new Map(notifications.map((notification) => [notification.poRef, notification]));
  const rows = Array.from(newestOf.values(), (newest): OrderRow => {
    const count = ofOrder.get(newest.poRef)?.length ?? 1;
    const changes = texts.changes(count);
    const inBrackets = locale === 'zh' ? `（${changes}）` : ` (${changes})`;
    return {
      order: truncate(newest.poNumber, MAX_NAME),
      url: `${publicUrl}${pathOf(newest)}`,
      vendor: truncate(newest.vendor, 40),
      what: `${whatHappened(newest, locale)}${count > 1 ? inBrackets : ''}`,
      status: locale === 'zh' ? newest.toStatusZh : newest.toStatus,
    };
  });
  const shown = rows.slice(0, fitting(rows));
  const others = ofOrder.size - shown.length;
  return {
    subject: texts.subjectOfOrders(ofOrder.size, all.length),
    heading: texts.orders(ofOrder.size),
    blocks: [
      { type: 'orders', rows: shown },
      ...(others > 0 ? [{ type: 'note', text: texts.moreOrders(others) } as const] : []),
    ],
    button: texts.openOrders,
    path: '/orders',
  };
}

/** Number of rows that fit into a mail. */
function fitting(rows: readonly OrderRow[]): number {
  let bytes = 0;
  const tooMany = rows.findIndex((row, index) => {
    const text = [row.order, row.url, row.vendor, row.what, row.status].join('');
    const asHtml = text.replaceAll(/["'&<>]/g, '&quot;');
    bytes += MARKUP_OF_ROW + Buffer.byteLength(text) + Buffer.byteLength(asHtml);
    return index === MAX_ORDERS || bytes > MAX_ROWS;
  });
  return tooMany < 0 ? rows.length : tooMany;
}
