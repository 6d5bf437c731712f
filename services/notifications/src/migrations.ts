import type { Migration } from '@po/database';
import { Inbox1763712000000 } from './migrations/1763712000000-inbox.js';

/** Every migration of the database `notifications`, oldest first. */
export const MIGRATIONS: Migration[] = [Inbox1763712000000];
