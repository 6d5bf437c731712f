import type { Migration } from '@po/database';
import { Inbox1763712000000 } from './0001-inbox.js';
import { OutboxByPosition1795000000000 } from './0002-outbox-by-position.js';
import { OutboxWithoutId1795000000001 } from './0003-outbox-without-id.js';

/** Every migration of the database `notifications`, oldest first. */
export const MIGRATIONS: Migration[] = [
  Inbox1763712000000,
  OutboxByPosition1795000000000,
  OutboxWithoutId1795000000001,
];
