import { type Kpis, STATUS_IDS, kpisOf } from '@po/contracts';
import { inScriptSpan } from '@po/redis';
import type { ProjectionRedis } from './connection.js';
import { type Keys, scopeSuffix } from './keys.js';
import { AppliedCounts } from './applied-counts.js';
import { type OrderState, activityOf } from './order-state.js';

/** Position of a record in Kafka: `partition` is "<topic>/<number>", `offset` decimal. */
export interface Position {
  partition: string;
  offset: string;
}

/**
 * Result of applying an order's state: applied; a duplicate (this or a newer version was applied before); or not applied because there is
 * no generation, or because Redis lost confirmed records, which also removes the generation.
 */
export type Outcome = 'applied' | 'duplicate' | 'no-generation' | 'records-lost';

/**
 * Arguments of the apply script. Without an order, only the position is recorded. Omits status changes from before `floor` (epoch
 * milliseconds).
 */
export function applyArguments(
  { prefix }: Keys,
  target: string,
  { partition, offset }: Position,
  known: AppliedCounts,
  order: OrderState | null,
  floor = 0,
): (string | number)[] {
  const position = [prefix, target, partition, offset, known.generation, known.of(partition)];
  if (!order) return [...position, '', 0, '', 0, 0, '', 0];
  return [
    ...position,
    order.poRef,
    order.poVersion,
    order.vendorCode,
    order.statusId,
    floor,
    order.vendor,
    Date.parse(order.updatedAt),
    ...order.recentActivity.flatMap((entry) => {
      const at = Date.parse(entry.occurredAt);
      return at < floor ? [] : [entry.id, at, JSON.stringify(activityOf(order, entry))];
    }),
  ];
}

/** The projection in Redis: orders per status and the latest status changes. */
export class Counters {
  private readonly known = new AppliedCounts();
  /** Vendor -> oldest instant in its full feed, as Redis last reported it. May be outdated, because the script checks it. */
  private readonly floors = new Map<string, number>();

  constructor(
    private readonly redis: ProjectionRedis,
    private readonly keys: Keys,
  ) {}

  /** Applies an order's state to the live generation, atomically with its position. Rejects if Redis does not confirm. */
  async apply(position: Position, order: OrderState): Promise<Outcome> {
    const { vendorCode } = order;
    const values = applyArguments(this.keys, '', position, this.known, order, this.floors.get(vendorCode));
    const { current, building, changed } = this.keys;
    const [outcome, generation, applied, floor] = (await inScriptSpan('applyState', () =>
      this.redis.applyState(current, building, changed, ...values),
    )) as [Outcome | 'left-out', string, number, string];
    this.floors.set(vendorCode, Number(floor));
    if (outcome === 'left-out') return this.apply(position, order);
    if (outcome === 'records-lost') this.known.forget();
    else if (outcome !== 'no-generation') this.known.record(Number(generation), position.partition, applied);
    return outcome;
  }

  /** Orders per status of one vendor or (null) of all; null while no generation is finished. */
  async kpis(vendorCode: string | null): Promise<Kpis | null> {
    const { current, prefix } = this.keys;
    const counts = (await inScriptSpan('readCounts', () =>
      this.redis.readCounts(current, prefix, scopeSuffix(vendorCode), ...STATUS_IDS),
    )) as (string | null)[] | null;
    if (!counts) return null;
    return kpisOf((statusId) => Number(counts[STATUS_IDS.indexOf(statusId)] ?? 0));
  }

  /** The last 20 status changes of one vendor or (null) of all as JSON text, newest first; null while no generation is finished. */
  async recentActivity(vendorCode: string | null): Promise<string | null> {
    const { current, prefix } = this.keys;
    const entries = (await inScriptSpan('readFeed', () =>
      this.redis.readFeed(current, prefix, scopeSuffix(vendorCode)),
    )) as string[] | null;
    return entries && `[${entries.join(',')}]`;
  }

  /** The finished generation, or null. `hasLostRecords`: it was just discarded, because Redis lost records. */
  async check(): Promise<{ generation: string | null; hasLostRecords: boolean }> {
    const [generation, hasLostRecords] = (await this.redis.checkApplied(
      this.keys.current,
      this.keys.building,
      this.keys.prefix,
      this.known.generation,
      ...this.known.flat(),
    )) as [string, number];
    if (hasLostRecords === 1) this.known.forget();
    return { generation: generation || null, hasLostRecords: hasLostRecords === 1 };
  }

  /** The highest applied offset by "<topic>/<partition>". */
  async positions(generation: string): Promise<Map<string, bigint>> {
    const fields = await this.redis.hgetall(`${this.keys.prefix}:${generation}:positions`);
    return new Map(
      Object.entries(fields).flatMap(([field, value]) => (field.endsWith('/applied') ? [] : [[field, BigInt(value)]])),
    );
  }

  /** Whether a rebuilder is filling a generation. A rebuilder that died or gets no records from Kafka loses its lock. */
  async isBuilding(): Promise<boolean> {
    return (await this.redis.get(this.keys.lock)) !== null;
  }

  /** Discards the generation if it is still the current one. Returns whether it was. */
  async discard(generation: string): Promise<boolean> {
    return (await this.redis.discardGeneration(this.keys.current, this.keys.building, generation)) === 1;
  }
}
