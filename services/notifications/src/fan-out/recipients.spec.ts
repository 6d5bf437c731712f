import {
  ACTOR_ROLES,
  ANY_ACTION_NAMES,
  type ActorRole,
  type AnyAction,
  type MessageVisibility,
  MESSAGE_VISIBILITIES,
  REMINDER_RULES,
  ROLES,
  type ReminderRule,
  type Role,
} from '@po/contracts';
import { describe, expect, it } from '@jest/globals';
import type { RecipientRule } from '../store/entry.entity.js';
import { recipientsOfMessage, recipientsOfReminder, recipientsOfTransition } from './recipients.js';

const VENDOR_AND_OWN_BUYER = { known: 'vendor + own', unknown: 'vendor + own' };
const BUYER = { known: 'own', unknown: 'every' };
const VENDOR_AND_BUYER = { known: 'vendor + own', unknown: 'vendor + every' };
const VENDOR = { known: 'vendor + none', unknown: 'vendor + none' };

type Expected = { known: string; unknown: string };
const byVendor = (vendor: Expected, internal: Expected) => (role: ActorRole) => (role === 'VENDOR' ? vendor : internal);
const always = (expected: Expected) => () => expected;

const TABLE: Record<AnyAction, (role: ActorRole) => Expected> = {
  IMPORT: always(VENDOR),
  APPROVE: (role) => (role === 'SYSTEM' ? VENDOR_AND_BUYER : VENDOR_AND_OWN_BUYER),
  REJECT: always(VENDOR_AND_OWN_BUYER),
  CONFIRM_DELIVERY: always(VENDOR_AND_OWN_BUYER),
  CANCEL: always(VENDOR_AND_OWN_BUYER),
  RECALL: byVendor(BUYER, VENDOR_AND_OWN_BUYER),
  MOVE_TO_PRODUCTION: byVendor(BUYER, VENDOR_AND_OWN_BUYER),
  SUBMIT: always(BUYER),
  MARK_SHIPPED: always(BUYER),
  SOURCE_UPDATE: always(VENDOR_AND_BUYER),
  SOURCE_CANCEL: always(VENDOR_AND_BUYER),
  SOURCE_CONFLICT: always(VENDOR_AND_BUYER),
};

const cases = ANY_ACTION_NAMES.flatMap((action) =>
  ACTOR_ROLES.flatMap((role) =>
    (['known', 'unknown'] as const).map((buyer) => ({ action, role, buyer, expected: TABLE[action](role)[buyer] })),
  ),
);

const shown = ({ vendor, buyers }: RecipientRule) => `${vendor ? 'vendor + ' : ''}${buyers}`;

describe('the recipients of a transition', () => {
  it.each(cases)('is "$expected" for $action by $role with a $buyer buyer', ({ action, role, buyer, expected }) => {
    expect(shown(recipientsOfTransition(action, role, buyer === 'known'))).toBe(expected);
  });

  it.each(ACTOR_ROLES)('is the vendor and the buyer for an unknown action by %s', (role) => {
    expect(recipientsOfTransition('REOPEN', role, true)).toEqual({ vendor: true, buyers: 'own' });
    expect(recipientsOfTransition('REOPEN', role, false)).toEqual({ vendor: true, buyers: 'every' });
  });

  it('is tested for every action, every role, and known and unknown buyers', () => {
    expect(cases).toHaveLength(12 * 5 * 2);
  });
});

const REMINDERS: Record<ReminderRule, Expected> = {
  REPLY_DUE: VENDOR,
  APPROVAL_DUE: BUYER,
  EX_FACTORY_SOON: VENDOR,
  EX_FACTORY_OVERDUE: VENDOR_AND_BUYER,
  DELIVERY_DUE: BUYER,
};

describe('the recipients of a reminder', () => {
  it.each(
    REMINDER_RULES.flatMap((rule) =>
      (['known', 'unknown'] as const).map((buyer) => ({ rule, buyer, expected: REMINDERS[rule][buyer] })),
    ),
  )('is "$expected" for $rule with a $buyer buyer', ({ rule, buyer, expected }) => {
    expect(shown(recipientsOfReminder(rule, buyer === 'known'))).toBe(expected);
  });

  it('is the vendor and the buyer for an unknown rule', () => {
    expect(recipientsOfReminder('PAYMENT_DUE', true)).toEqual({ vendor: true, buyers: 'own' });
    expect(recipientsOfReminder('PAYMENT_DUE', false)).toEqual({ vendor: true, buyers: 'every' });
  });
});

const NOBODY = { known: 'none', unknown: 'none' };
const MESSAGES: Record<Role, Record<MessageVisibility, Expected>> = {
  VENDOR: { all: BUYER, internal: NOBODY },
  BUYER: { all: VENDOR, internal: NOBODY },
  ADMIN: { all: VENDOR, internal: NOBODY },
  VIEWER: { all: VENDOR, internal: NOBODY },
};

describe('the recipients of a message, without the named users', () => {
  it.each(
    ROLES.flatMap((role) =>
      MESSAGE_VISIBILITIES.flatMap((visibility) =>
        (['known', 'unknown'] as const).map((buyer) => ({
          role,
          visibility,
          buyer,
          expected: MESSAGES[role][visibility][buyer],
        })),
      ),
    ),
  )('is "$expected" for $visibility by $role with a $buyer buyer', ({ role, visibility, buyer, expected }) => {
    expect(shown(recipientsOfMessage(visibility, role, buyer === 'known'))).toBe(expected);
  });

  it('is empty for a visibility that only a newer version knows', () => {
    expect(shown(recipientsOfMessage('finance', 'BUYER', true))).toBe('none');
  });
});
