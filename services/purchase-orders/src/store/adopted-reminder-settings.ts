import type { Statement } from '@po/database';
import type { AdoptedSettings, ReminderSettings } from '../domain/reminders/reminders.js';
import type { Databases } from './databases.js';

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

/** The reminder settings of this process, once reminders follow them. */
export class AdoptedReminderSettings {
  private adopted: AdoptedSettings | null = null;

  constructor(
    private readonly databases: Pick<Databases, 'internal'>,
    readonly settings: ReminderSettings,
  ) {}

  /** Throws before the first `adopt`. */
  get current(): AdoptedSettings {
    if (!this.adopted) throw new Error('the settings of reminders are not adopted yet');
    return this.adopted;
  }

  /**
   * Makes reminders follow the settings of this process. Returns false if a process that started later has other settings. Without this
   * check, replicas with different settings, as during a rollout, would undo each other's due times repeatedly.
   */
  async adopt({ starting }: { starting: boolean }): Promise<boolean> {
    const { fingerprint } = this.settings;
    const generation = await this.databases.internal.transaction(null, async (send) => {
      const [, [newest]] = await Promise.all([send(LOCK), send<Newest>(NEWEST)]);
      if (newest?.fingerprint === fingerprint) {
        void send(SEE, [newest.generation]);
        return newest.generation;
      }
      if (newest && !newest.gone && !starting) return null;
      const [added] = await send<{ generation: number }>(ADD, [fingerprint]);
      return added?.generation ?? null;
    });
    if (generation === null) return false;
    this.adopted = { ...this.settings, generation };
    return true;
  }
}
