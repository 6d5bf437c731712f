import { REMINDER_RULES, type ReminderRule, isAnyAction } from '@po/contracts';
import type { RecipientRule } from '../store/entry.entity.js';

/** Recipients of a submission that a policy approved immediately: the notification of the approval covers both. */
export const NOBODY: RecipientRule = { vendor: false, buyers: 'none' };

/** Recipients of a transition. `buyerKnown`: a user of role BUYER has the order's buyer e-mail. */
export function recipientsOfTransition(action: string, actorRole: string, buyerKnown: boolean): RecipientRule {
  const ownElseEvery = buyerKnown ? 'own' : 'every';
  // An action of a newer version, whose rule is unknown here. All of them may see the order, and a superfluous notification is better than
  // a missing one.
  if (!isAnyAction(action)) return { vendor: true, buyers: ownElseEvery };
  switch (action) {
    case 'IMPORT':
      return { vendor: true, buyers: 'none' };
    case 'APPROVE':
      // An approval by a policy also stands for the SUBMIT, which has no notification.
      return { vendor: true, buyers: actorRole === 'SYSTEM' ? ownElseEvery : 'own' };
    case 'REJECT':
    case 'CONFIRM_DELIVERY':
    case 'CANCEL':
      return { vendor: true, buyers: 'own' };
    case 'RECALL':
    case 'MOVE_TO_PRODUCTION':
      return actorRole === 'VENDOR' ? { vendor: false, buyers: ownElseEvery } : { vendor: true, buyers: 'own' };
    case 'SUBMIT':
    case 'MARK_SHIPPED':
      return { vendor: false, buyers: ownElseEvery };
    case 'SOURCE_UPDATE':
    case 'SOURCE_CANCEL':
    case 'SOURCE_CONFLICT':
      return { vendor: true, buyers: ownElseEvery };
    default:
      return action satisfies never;
  }
}

const isReminderRule = (rule: string): rule is ReminderRule => (REMINDER_RULES as readonly string[]).includes(rule);

/** Recipients of a reminder. */
export function recipientsOfReminder(rule: string, buyerKnown: boolean): RecipientRule {
  const ownElseEvery = buyerKnown ? 'own' : 'every';
  // A rule of a newer version, as above.
  if (!isReminderRule(rule)) return { vendor: true, buyers: ownElseEvery };
  switch (rule) {
    case 'REPLY_DUE':
    case 'EX_FACTORY_SOON':
      return { vendor: true, buyers: 'none' };
    case 'APPROVAL_DUE':
    case 'DELIVERY_DUE':
      return { vendor: false, buyers: ownElseEvery };
    case 'EX_FACTORY_OVERDUE':
      return { vendor: true, buyers: ownElseEvery };
    default:
      return rule satisfies never;
  }
}

/** Recipients of a message, without the named users. A visibility that only a newer version knows counts as internal. */
export function recipientsOfMessage(visibility: string, authorRole: string, buyerKnown: boolean): RecipientRule {
  if (visibility !== 'all') return { vendor: false, buyers: 'none' };
  return authorRole === 'VENDOR'
    ? { vendor: false, buyers: buyerKnown ? 'own' : 'every' }
    : { vendor: true, buyers: 'none' };
}
