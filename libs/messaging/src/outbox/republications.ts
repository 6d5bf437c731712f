import type { Pool } from 'pg';

/** Maximum number of keys per query. */
const BATCH_KEYS = 100;

interface Mark {
  key: string;
  shard: number;
  noted_at: string;
}

/**
 * Keys whose current state must be published again, because an older state may be stored last: a relay that lost its lease may have a
 * pending request that brokers store later. The keys are in the database, so that a crash does not lose them.
 */
export class OutboxRepublications {
  constructor(
    private readonly pool: () => Pool,
    private readonly republish: (key: string) => Promise<void>,
    /** Milliseconds after the mark until no pending request can arrive any more. */
    private readonly afterMs: number,
  ) {}

  async mark(deliveries: readonly { key: string; shard: number }[]): Promise<void> {
    await this.pool().query(
      `INSERT INTO outbox_restatements (key, shard)
       SELECT DISTINCT key, shard FROM unnest($1::text[], $2::smallint[]) AS lost(key, shard)
           ON CONFLICT (key) DO UPDATE SET noted_at = excluded.noted_at`,
      [deliveries.map(({ key }) => key), deliveries.map(({ shard }) => shard)],
    );
  }

  /**
   * Republishes the due keys of these shards that have no rows to publish, one after another until `stopping`. After a crash in between,
   * keys are republished twice. Rejects if a key cannot be republished, and postpones that key, so that it does not block others forever.
   */
  async republishDue(shards: readonly number[], stopping: () => boolean): Promise<void> {
    const { rows } = await this.pool().query<Mark>({
      name: 'outbox-republications',
      text: `SELECT key, shard, noted_at::text FROM outbox_restatements r
              WHERE shard = ANY($1) AND noted_at < clock_timestamp() - $2 * interval '1 millisecond'
                AND NOT EXISTS (SELECT FROM outbox o WHERE o.key = r.key)
              ORDER BY noted_at LIMIT ${BATCH_KEYS}`,
      values: [shards, this.afterMs],
    });
    const done: Mark[] = [];
    try {
      for (const mark of rows) {
        if (stopping()) break;
        await this.republish(mark.key).catch(async (error: unknown) => {
          await this.mark([mark]);
          throw error;
        });
        done.push(mark);
      }
    } finally {
      if (done.length > 0) await this.remove(done);
    }
  }

  private async remove(marks: readonly Mark[]): Promise<void> {
    await this.pool().query(
      `DELETE FROM outbox_restatements r USING unnest($1::text[], $2::timestamptz[]) AS done(key, noted_at)
        WHERE r.key = done.key AND r.noted_at = done.noted_at`,
      [marks.map(({ key }) => key), marks.map(({ noted_at: notedAt }) => notedAt)],
    );
  }
}
