import { isAnyAction } from '@po/contracts';
import type { Audience } from '../store/transition.entity.js';

/** The rule of who is notified. `buyerKnown`: a user of role BUYER has the order's buyer e-mail. */
export function audienceOf(action: string, actorRole: string, buyerKnown: boolean): Audience {
  const ownElseEvery = buyerKnown ? 'own' : 'every';
  // Of a newer version, whose rule is not known here. They may all see the order: a notification too many is better than none.
  if (!isAnyAction(action)) return { vendor: true, buyers: ownElseEvery };
  switch (action) {
    case 'IMPORT':
      return { vendor: true, buyers: 'none' };
    case 'APPROVE':
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
