import { Purge } from '@po/database';
import type { Logger } from '@po/platform';
import type { Databases } from '../store/databases.js';
import {
  type PurgeRows,
  markedNotifications,
  oldNotifications,
  oldViewCommands,
  readNotifications,
  unneededTransitions,
} from './purges.js';

const EVERY_MS = 60_000;
/** Each round checks every copy, most of which are still needed. */
const TRANSITIONS_EVERY_MS = 6 * 60 * EVERY_MS;

interface Days {
  /** Days after which a read notification is deleted. */
  read: number;
  /** Days after which any notification is deleted. */
  unread: number;
}

/** Purges that limit the size of the database, for any number of replicas. */
export function retention(
  databases: Databases,
  { read, unread }: Days,
  logger: Logger,
  timing: { firstMs?: number } = {},
): Purge[] {
  const purge = (name: string, everyMs: number, batch: PurgeRows) =>
    new Purge({ name, everyMs, batch, logger, ...timing });
  return [
    purge('notifications_read', EVERY_MS, readNotifications(databases, read)),
    purge('notifications_marked', EVERY_MS, markedNotifications(databases, read)),
    purge('notifications_old', EVERY_MS, oldNotifications(databases, unread)),
    purge('view_commands', EVERY_MS, oldViewCommands(databases)),
    purge('transitions', TRANSITIONS_EVERY_MS, unneededTransitions(databases)),
  ];
}
