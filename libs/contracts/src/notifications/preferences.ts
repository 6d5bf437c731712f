import { z } from 'zod';
import { NOTIFICATION_KINDS } from './notification.js';
import { localizedMessage } from '../validation/localized-message.js';

/** `now`: within minutes, together with other notifications of that time; `digest`: once a day. */
export const MAIL_MODES = ['now', 'digest', 'off'] as const;
export type MailMode = (typeof MAIL_MODES)[number];

/** Cache of valid names, because Intl costs more than the rest of parsing a notification. */
const known = new Set<string>();
const MAX_KNOWN = 1_000;

const isTimeZone = (name: string): boolean => {
  if (known.has(name)) return true;
  try {
    if (!/^[A-Za-z]/.test(name) || !Intl.DateTimeFormat('en', { timeZone: name })) return false;
  } catch {
    return false;
  }
  if (known.size < MAX_KNOWN) known.add(name);
  return true;
};

const NO_TIME_ZONE = localizedMessage(
  'INVALID_TIME_ZONE',
  'must be an IANA time zone such as Asia/Shanghai',
  '必须是 IANA 时区名称，例如 Asia/Shanghai',
);

/** An IANA time zone, such as Asia/Shanghai. */
export const TimeZone = z.string().max(100).refine(isTimeZone, NO_TIME_ZONE);

/** Abbreviations that Intl accepts, but maps to only one of the places that use them (ICU): CST means Chicago, not Shanghai. */
const ABBREVIATION =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$/i;

/** Names that ICU accepts, but IANA no longer has. */
const FORMER = /^(SystemV\/|US\/Pacific-New$|Canada\/East-Saskatchewan$)/i;

/** A time zone that a user may choose: without ambiguous abbreviations. */
export const ChosenTimeZone = TimeZone.refine((name) => !ABBREVIATION.test(name) && !FORMER.test(name), NO_TIME_ZONE);

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A time of day, HH:MM from 00:00 to 23:59. */
export const TimeOfDay = z
  .string()
  .refine(
    (time) => TIME.test(time),
    localizedMessage('INVALID_TIME', 'must be a time from 00:00 to 23:59', '必须是 00:00 到 23:59 之间的时间'),
  )
  .meta({ pattern: TIME.source });

const MailPreferences = z.object(
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, z.enum(MAIL_MODES)])) as Record<
    (typeof NOTIFICATION_KINDS)[number],
    z.ZodEnum<{ now: 'now'; digest: 'digest'; off: 'off' }>
  >,
);

const FIELDS = {
  locale: z.enum(['en', 'zh']).describe('The language of mails, and of the portal at sign-in.'),
  timeZone: TimeZone,
  digestAt: TimeOfDay.describe('When the digest is sent, in `timeZone`.'),
};
const MAIL = 'When mail is sent, for each kind of notification.';

/** Notification preferences: the user's choices, or the defaults. */
export const Preferences = z
  .object({ ...FIELDS, mail: MailPreferences.describe(MAIL) })
  .meta({ id: 'Preferences', description: 'How a user is notified.' });
export type Preferences = z.infer<typeof Preferences>;

/** Complete preferences as sent by a user, without unknown fields. */
export const PreferencesRequest = z
  .strictObject({
    ...FIELDS,
    timeZone: ChosenTimeZone,
    mail: MailPreferences.strict().describe(MAIL),
  })
  .meta({ id: 'PreferencesRequest', description: 'How a user wants to be notified.' });
