import { type Migration, createIndexConcurrently, migrationAlone } from '@po/database';

const index = (migration: string, name: string, on: string, options?: { unique: boolean }): Migration =>
  migrationAlone(migration, (runner) => createIndexConcurrently(runner, name, on, options));

/** Entry first, which tells whether anybody still needs its transition; it replaces the index that begins with the user. */
export const NotificationsByEntry = index(
  'NotificationsByEntry1795000000005',
  'notifications_entry',
  'notifications (history_id, user_id)',
  { unique: true },
);
export const NotificationsByAge = index(
  'NotificationsByAge1795000000006',
  'notifications_age',
  'notifications (created_at)',
);
export const NotificationsByReading = index(
  'NotificationsByReading1795000000007',
  'notifications_read',
  'notifications (read_at) WHERE read_at IS NOT NULL',
);
export const WatermarksByAge = index('WatermarksByAge1795000000008', 'watermarks_age', 'watermarks (at)');
