import type { Pool } from 'pg';

/** Leases expire by database time. The owner stops using them `SAFETY_MS` earlier, counted from before its request. */
export const LEASE_MS = 10_000;
const SAFETY_MS = 3_000;

// Marks the keys that the previous owner of an expired lease may still be sending; that owner read no row after its lease. The same
// statement takes the lease, so that no crash can separate the two.
const MARK_KEYS = `marked AS (
  INSERT INTO outbox_restatements (key, shard)
  SELECT DISTINCT o.key, o.shard FROM taken t JOIN outbox o ON o.shard = t.shard
   WHERE t.abandoned AND o.created_at <= t.expires_at - ${SAFETY_MS} * interval '1 millisecond'
      ON CONFLICT (key) DO UPDATE SET noted_at = excluded.noted_at),`;

const renewal = (marksKeys: boolean): string => `
  WITH taken AS (
    SELECT shard, expires_at, owner = $1 AND expires_at > clock_timestamp() AS kept,
           owner IS NOT NULL AND expires_at <= clock_timestamp() AS abandoned
      FROM outbox_leases
     WHERE owner = $1 OR owner IS NULL OR expires_at <= clock_timestamp()
     ORDER BY shard FOR UPDATE SKIP LOCKED),
  ${marksKeys ? MARK_KEYS : ''}
  renewed AS (
    UPDATE outbox_leases l
       SET fence = CASE WHEN t.kept THEN l.fence ELSE l.fence + 1 END, owner = $1,
           expires_at = clock_timestamp() + $2 * interval '1 millisecond'
      FROM taken t WHERE l.shard = t.shard
    RETURNING l.shard, l.fence)
  SELECT shard, fence FROM renewed`;

/** Period for resending records sent under these leases. `until` is of `performance.now()` and moves with each renewal of all leases. */
export interface LeaseTerm {
  readonly until: number;
}

/** The shards this instance may publish, each with the fence of its lease. */
export class OutboxLeases {
  private held = new Map<number, string>();
  private validTerm = { until: -Infinity };
  private readonly statement: { name: string; text: string };

  constructor(
    private readonly pool: () => Pool,
    readonly owner: string,
    /** Whether to mark keys in `outbox_restatements` that a previous owner may still be sending. */
    marksKeys: boolean,
  ) {
    this.statement = { name: 'outbox-leases-renew', text: renewal(marksKeys) };
  }

  /** Fence by shard, for each lease that this instance certainly still holds. */
  get current(): ReadonlyMap<number, string> {
    return performance.now() < this.validTerm.until ? this.held : new Map<number, string>();
  }

  get term(): LeaseTerm {
    return this.validTerm;
  }

  /** Renews own leases and takes free or expired ones, with a new fence. */
  async renew(): Promise<void> {
    const askedAt = performance.now();
    const { rows } = await this.pool().query<{ shard: number; fence: string }>({
      ...this.statement,
      values: [this.owner, LEASE_MS],
    });
    const before = this.held;
    this.held = new Map(rows.map(({ shard, fence }) => [shard, fence]));
    if ([...before].some(([shard, fence]) => this.held.get(shard) !== fence)) {
      this.validTerm.until = -Infinity;
      this.validTerm = { until: -Infinity };
    }
    this.validTerm.until = askedAt + LEASE_MS - SAFETY_MS;
  }

  /**
   * Releases all leases, so that other instances need not wait for them to expire. Leases of shards with pending sends are kept: their
   * next owner takes them after they expire, and marks the keys.
   */
  async release(unsettledShards: readonly number[]): Promise<void> {
    this.validTerm.until = -Infinity;
    await this.pool().query(
      `UPDATE outbox_leases SET owner = NULL, expires_at = '-infinity' WHERE owner = $1 AND shard <> ALL($2)`,
      [this.owner, unsettledShards],
    );
  }
}
