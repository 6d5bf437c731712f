import { CONVERSATION } from './conversation.js';
import { LISTS } from './lists.js';
import { ORDERS } from './orders.js';
import { POLICIES } from './policies.js';
import type { Rules } from './rule.js';
import { USERS } from './users.js';
import { VIEWS } from './views.js';

/** Access rules of each operation in the published API document. */
export const RULES: Rules = { ...CONVERSATION, ...LISTS, ...ORDERS, ...POLICIES, ...USERS, ...VIEWS };
