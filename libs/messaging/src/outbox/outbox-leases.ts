import type { Pool } from 'pg';

/** Leases live on database time; the owner stops using one this much earlier, counted from before it asked. */
export const LEASE_MS = 10_000;
const SAFETY_MS = 3_000;

/** The shards this instance may publish, each with the fence of its lease. */
export class OutboxLeases {
  private held = new Map<number, string>();
  private validUntil = 0;

  constructor(
    private readonly pool: () => Pool,
    private readonly owner: string,
  ) {}

  /** Shard -> fence of every lease that is surely still ours. */
  get current(): ReadonlyMap<number, string> {
    return performance.now() < this.validUntil ? this.held : new Map<number, string>();
  }

  /** Renews what is ours and takes what is free or expired. A lease taken anew gets a new fence. Resolves with whether one was lost. */
  async renew(): Promise<boolean> {
    const askedAt = performance.now();
    const { rows } = await this.pool().query<{ shard: number; fence: string }>({
      name: 'outbox-leases-renew',
      text: `UPDATE outbox_leases
                SET fence = CASE WHEN owner = $1 AND expires_at > clock_timestamp() THEN fence ELSE fence + 1 END,
                    owner = $1,
                    expires_at = clock_timestamp() + $2 * interval '1 millisecond'
              WHERE shard IN (SELECT shard FROM outbox_leases
                               WHERE owner = $1 OR owner IS NULL OR expires_at <= clock_timestamp()
                               ORDER BY shard FOR UPDATE SKIP LOCKED)
              RETURNING shard, fence`,
      values: [this.owner, LEASE_MS],
    });
    const before = this.held;
    this.held = new Map(rows.map(({ shard, fence }) => [shard, fence]));
    this.validUntil = askedAt + LEASE_MS - SAFETY_MS;
    return [...before].some(([shard, fence]) => this.held.get(shard) !== fence);
  }

  /** Gives all leases up, so that another instance need not wait for them to expire. */
  async release(): Promise<void> {
    this.validUntil = 0;
    await this.pool().query(`UPDATE outbox_leases SET owner = NULL, expires_at = '-infinity' WHERE owner = $1`, [
      this.owner,
    ]);
  }
}
