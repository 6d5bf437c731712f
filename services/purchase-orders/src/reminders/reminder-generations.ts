import type { Statement } from '@po/database';
import type { ReminderSettings } from '../domain/reminders/reminders.js';
import type { Databases } from '../store/databases.js';

/** Processes confirm their settings more often than this; settings without confirmation for longer count as gone. */
const GONE_AFTER_S = 120;

const LOCK = 'LOCK TABLE reminder_settings IN SHARE ROW EXCLUSIVE MODE';
const NEWEST: Statement = {
  name: 'newest-reminder-settings',
  text: `SELECT generation, fingerprint, seen_at < clock_timestamp() - interval '${GONE_AFTER_S} seconds' AS gone
           FROM reminder_settings ORDER BY generation DESC LIMIT 1`,
};
const SEE: Statement = {
  name: 'see-reminder-settings',
  text: 'UPDATE reminder_settings SET seen_at = clock_timestamp() WHERE generation = $1',
};
const ADD: Statement = {
  name: 'add-reminder-settings',
  text: 'INSERT INTO reminder_settings (fingerprint, seen_at) VALUES ($1, clock_timestamp()) RETURNING generation',
  rows: 1,
};

interface Newest {
  generation: number;
  fingerprint: string;
  gone: boolean;
}

/**
 * Makes reminders follow the settings of this process. Returns false if a process that started later has other settings. Without this
 * check, replicas with different settings, as during a rollout, would undo each other's due times repeatedly.
 */
export async function adoptSettings(
  { internal }: Pick<Databases, 'internal'>,
  settings: ReminderSettings,
  { starting }: { starting: boolean },
): Promise<boolean> {
  const { fingerprint } = settings;
  const adopted = await internal.transaction(null, async (send) => {
    const [, [newest]] = await Promise.all([send(LOCK), send<Newest>(NEWEST)]);
    if (newest?.fingerprint === fingerprint) {
      void send(SEE, [newest.generation]);
      return newest.generation;
    }
    if (newest && !newest.gone && !starting) return null;
    const [added] = await send<{ generation: number }>(ADD, [fingerprint]);
    return added?.generation ?? null;
  });
  if (adopted === null) return false;
  settings.generation = adopted;
  return true;
}
