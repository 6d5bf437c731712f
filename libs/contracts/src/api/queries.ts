import { z } from 'zod';
import { MAX_EMAIL, MAX_PO_REFS, MAX_SEARCH, MAX_VENDOR } from '../limits.js';
import { NOTIFICATION_KINDS } from '../notifications/notification.js';
import { REMINDER_RULES } from '../orders/reminders.js';
import { localizedMessage } from '../validation/localized-message.js';
import { PO_REF_ANY_CASE, PoRef, canonicalPoRef, text, textOfAnyLength } from '../validation/text.js';

const SORT_FIELDS = ['id', 'vendor', 'poDate', 'xfDate', 'status', 'amount'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Maximum for numbers: no page or status is beyond it, and its product with a limit still fits a bigint. */
const MAX_MAGNITUDE = 1e15;

const integerOf = (digits: string): number => Math.max(-MAX_MAGNITUDE, Math.min(Number(digits), MAX_MAGNITUDE));

const positiveInteger = z
  .string()
  .refine(
    (digits) => /^\d+$/.test(digits) && Number(digits) >= 1,
    localizedMessage('INVALID_INTEGER', 'must be an integer of at least 1', '必须是不小于 1 的整数'),
  )
  .transform(integerOf)
  .meta({ type: 'integer', minimum: 1 });

export const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .meta({ type: 'boolean' });

/** Parameter for the number of results; values above the maximum count as the maximum. */
const limitOf = (usual: number, most: number) =>
  positiveInteger
    .default(usual)
    .transform((limit) => Math.min(limit, most))
    .meta({ default: usual, description: `Maximum number of results; values above ${most} count as ${most}.` });

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

/** One or more of these names, separated by commas. */
function commaSeparated<Name extends string>(names: readonly Name[]) {
  const isName = (name: string): name is Name => (names as readonly string[]).includes(name);
  return text(1000)
    .transform(namesIn)
    .refine(
      (given) => given.length > 0 && given.every(isName),
      localizedMessage(
        'NOT_ALLOWED',
        `must be one or more of ${names.join(', ')}, separated by commas`,
        `必须是 ${names.join('、')} 中的一项或多项，用英文逗号分隔`,
      ),
    )
    .transform((given) => [...new Set(given.filter(isName))])
    .meta({ type: 'array', items: { type: 'string', enum: [...names] }, minItems: 1 });
}

const PO_REF_LENGTH = 40;

/** PO numbers, case-insensitive and separated by commas. */
const poRefs = text(MAX_PO_REFS * (PO_REF_LENGTH + 2))
  .transform((list) => [...new Set(namesIn(list).map((name) => canonicalPoRef(name)))])
  .refine(
    (refs) => refs.length > 0 && refs.length <= MAX_PO_REFS && !refs.includes(null),
    localizedMessage(
      'INVALID_PO_NUMBER',
      `must be 1 to ${MAX_PO_REFS} PO numbers, separated by commas`,
      `必须是 1 到 ${MAX_PO_REFS} 个订单号，用英文逗号分隔`,
    ),
  )
  .transform((refs) => refs.filter((ref) => ref !== null))
  .meta({
    type: 'array',
    items: { type: 'string', pattern: PO_REF_ANY_CASE.source },
    minItems: 1,
    maxItems: MAX_PO_REFS,
  });

/** Pasted text often has surrounding spaces. */
const trimPasted = (given: string): string => given.trim() || given;

/** Query value for the caller's own e-mail address. */
export const ME = 'me';

/** Query string of the list (all strings, unknown ones dropped), parsed into the request to the order service. */
export const ListParameters = z.object({
  status: text(1000)
    .transform(namesIn)
    .meta({ type: 'array', items: { type: 'string' } })
    .optional()
    .describe('Comma-separated labels in English or Chinese, case-insensitive. Blank: any status.'),
  vendor: text(MAX_VENDOR)
    .optional()
    .describe("The vendor's company name or code, case-insensitive. Blank: any vendor."),
  buyer: text(MAX_EMAIL)
    .min(1)
    .transform(trimPasted)
    .optional()
    .describe(`The buyer's e-mail address, case-insensitive, or \`${ME}\` for the caller's own.`),
  poRef: poRefs.optional().describe('Only orders with one of these PO numbers; unknown ones are ignored.'),
  search: text(MAX_SEARCH)
    .min(1)
    .transform(trimPasted)
    .optional()
    .describe('Part of the PO number, a style or a SKU, case-insensitive; surrounding spaces are ignored.'),
  overdue: flag.optional().describe('Whether the ex-factory date has passed and the order is not shipped.'),
  hasPendingChanges: flag.optional().describe('Whether the vendor has edits that are not approved yet.'),
  hasSourceConflict: flag.optional().describe('Whether the inventory system changed the order after production began.'),
  due: commaSeparated(REMINDER_RULES)
    .optional()
    .describe('Comma-separated rules: orders whose first reminder by one of these rules is due and that still wait.'),
  limit: limitOf(DEFAULT_LIMIT, MAX_LIMIT),
  page: positiveInteger.default(1).meta({ default: 1, description: 'Starts at 1; a page past the end is empty.' }),
  sortField: z
    .enum(SORT_FIELDS)
    .optional()
    .describe('Default: `id`, descending. `status` sorts by the order of the workflow.'),
  sortDir: z.enum(['asc', 'desc']).optional().describe('Default: ascending with `sortField`, otherwise descending.'),
});
export type ListParameters = z.infer<typeof ListParameters>;

/** The parsed parameters of the list, as sent from the gateway to the order service. */
export const ListQuery = z.object({
  status: z.array(z.string()).optional(),
  vendor: z.string().optional(),
  buyer: z.string().optional(),
  poRef: z.array(PoRef).max(MAX_PO_REFS).optional(),
  search: z.string().optional(),
  overdue: z.boolean().optional(),
  hasPendingChanges: z.boolean().optional(),
  hasSourceConflict: z.boolean().optional(),
  due: z.array(z.enum(REMINDER_RULES)).optional(),
  limit: z.int().min(1).max(MAX_LIMIT),
  page: z.int().min(1),
  sortField: z.enum(SORT_FIELDS).optional(),
  sortDir: z.enum(['asc', 'desc']).optional(),
});
export type ListQuery = z.infer<typeof ListQuery>;
/** Filters and sorting of a list, without its paging. */
export type ListSelection = Omit<ListQuery, 'limit' | 'page'>;

export const DetailParameters = z.object({
  include: z
    .string()
    .refine(
      (value) => value.split(',').every((name) => name.trim() === 'lineItems'),
      localizedMessage('NOT_ALLOWED', 'must be lineItems', '必须是 lineItems'),
    )
    .meta({ enum: ['lineItems'] })
    .optional()
    .describe('Embeds the line items.'),
});

export const DetailQuery = z.object({ poRef: PoRef, includeLineItems: z.boolean() });
export const OrderQuery = z.object({ poRef: PoRef });

const MAX_PARTICIPANTS = 50;

const Uuid = z.uuid();
const uuidOr = (en: string, zh: string) =>
  z
    .string()
    .refine((text) => Uuid.safeParse(text).success, localizedMessage('INVALID_ID', en, zh))
    .meta({ format: 'uuid' });
const older = uuidOr('must be the id of a message', '必须是消息的 id');

export const MessagesParameters = z.object({
  limit: limitOf(DEFAULT_LIMIT, MAX_LIMIT),
  before: older.optional().describe('Id of a message: only messages older than this one.'),
});
export const ParticipantsParameters = z.object({
  q: text(100).optional().describe('Part of the name, case-insensitive.'),
  limit: limitOf(20, MAX_PARTICIPANTS),
});
export const MessagesQuery = z.object({
  poRef: PoRef,
  limit: z.int().min(1).max(MAX_LIMIT),
  before: Uuid.optional(),
});
export const MessageQuery = z.object({ poRef: PoRef, messageId: Uuid });
export const ParticipantsQuery = z.object({
  poRef: PoRef,
  q: z.string().optional(),
  limit: z.int().min(1).max(MAX_PARTICIPANTS),
});
export type MessagesQuery = z.infer<typeof MessagesQuery>;
export type MessageQuery = z.infer<typeof MessageQuery>;
export type ParticipantsQuery = z.infer<typeof ParticipantsQuery>;
export type DetailQuery = z.infer<typeof DetailQuery>;
export type OrderQuery = z.infer<typeof OrderQuery>;

/** Both are required; an unknown id or role results in an empty list. */
export const ActionsParameters = z.object({
  statusId: z
    .string()
    .refine((digits) => /^-?\d+$/.test(digits), localizedMessage('INVALID_INTEGER', 'must be an integer', '必须是整数'))
    .transform(integerOf)
    .meta({ type: 'integer', description: 'An unknown id has no actions.' }),
  role: textOfAnyLength.min(1).describe('Case-insensitive; an unknown role has no actions.'),
});
export const ActionsQuery = z.object({ statusId: z.int(), role: z.string() });
export type ActionsQuery = z.infer<typeof ActionsQuery>;

const MAX_NOTIFICATIONS = 200;

export const NotificationsParameters = z.object({
  limit: limitOf(MAX_NOTIFICATIONS, MAX_NOTIFICATIONS),
  before: text(100).min(1).optional().describe('Id of a notification: only notifications older than this one.'),
  unread: flag.optional().describe('`true`: only unread notifications.'),
  kind: commaSeparated(NOTIFICATION_KINDS)
    .optional()
    .describe('Comma-separated kinds: only notifications of these kinds.'),
});
export const NotificationsQuery = z.object({
  limit: z.int().min(1).max(MAX_NOTIFICATIONS),
  before: z.string().optional(),
  unread: z.boolean().optional(),
  kind: z.array(z.enum(NOTIFICATION_KINDS)).optional(),
});
export type NotificationsQuery = z.infer<typeof NotificationsQuery>;

/** Maximum of PostgreSQL's integer type. */
const MAX_NUMBER = 2 ** 31 - 1;

/** `after`: a notification's id, a position from an earlier answer, or null for now. */
export const NotificationsSinceQuery = z.object({
  after: z.union([z.string(), z.int().min(0).max(MAX_NUMBER)]).nullable(),
  limit: z.int().min(1).max(MAX_NOTIFICATIONS),
});
export type NotificationsSinceQuery = z.infer<typeof NotificationsSinceQuery>;

/**
 * `lastEventId`: the notification after which a live stream resumes; empty counts as absent, and an unknown id causes a reset. `client`: the
 * same for each stream of a client, whose new stream replaces its old one.
 */
export const StreamParameters = z.object({
  lastEventId: z.string().optional(),
  client: uuidOr('must be a UUID', '必须是 UUID').optional(),
});

/** Queries that need nothing but the caller, and operations without query parameters. */
export const NoParameters = z.object({});
export type NoParameters = z.infer<typeof NoParameters>;
