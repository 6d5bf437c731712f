import type { Migration } from '@po/database';
import { Inbox1763712000000 } from './0001-inbox.js';
import { OutboxByPosition1795000000000 } from './0002-outbox-by-position.js';
import { OutboxWithoutId1795000000001 } from './0003-outbox-without-id.js';
import { OutboxBytes1795000000002 } from './0004-outbox-bytes.js';
import { CountInboxes1795000000003 } from './0005-count-inboxes.js';
import { FillInboxCounts1795000000004 } from './0006-fill-inbox-counts.js';
import {
  NotificationsByAge,
  NotificationsByEntry,
  NotificationsByReading,
  WatermarksByAge,
} from './0007-index-for-retention.js';
import { AllowRetention1795000000009 } from './0008-allow-retention.js';
import { UserDeletions1795000000010 } from './0009-user-deletions.js';
import { Kinds1795000000011, NotificationsByKind } from './0010-kinds.js';
import { Preferences1795000000013 } from './0011-preferences.js';
import { Views1795000000014 } from './0012-views.js';
import { EntriesByNamedUser, Messages1795000000030 } from './0013-messages.js';

/** Every migration of the database `notifications`, oldest first. */
export const MIGRATIONS: Migration[] = [
  Inbox1763712000000,
  OutboxByPosition1795000000000,
  OutboxWithoutId1795000000001,
  OutboxBytes1795000000002,
  CountInboxes1795000000003,
  FillInboxCounts1795000000004,
  NotificationsByEntry,
  NotificationsByAge,
  NotificationsByReading,
  WatermarksByAge,
  AllowRetention1795000000009,
  UserDeletions1795000000010,
  Kinds1795000000011,
  NotificationsByKind,
  Preferences1795000000013,
  Views1795000000014,
  Messages1795000000030,
  EntriesByNamedUser,
];
