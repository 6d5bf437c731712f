import { type Kpis, STATUS_IDS, kpisOf } from '@po/contracts';
import { inScriptSpan } from '@po/redis';
import type { ProjectionRedis } from './connection.js';
import { type Keys, scopeSuffix } from './keys.js';
import { AppliedOffsets } from './applied-offsets.js';
import { type OrderState, activityOf } from './order-state.js';

/** Where a record stands in Kafka: `partition` is "<topic>/<number>", `offset` decimal. */
export interface Position {
  partition: string;
  offset: string;
}

/**
 * What became of an order's state: counted; a duplicate (this or a newer version was counted before); not counted because there is
 * no generation, or because Redis had lost records it once confirmed, after which there is none either.
 */
export type Outcome = 'applied' | 'duplicate' | 'no-generation' | 'went-back';

/**
 * The values of the apply script. Without an order only the position is noted. Status changes from before `floor` (epoch
 * milliseconds) are left out.
 */
export function applyArguments(
  { prefix }: Keys,
  target: string,
  { partition, offset }: Position,
  known: AppliedOffsets,
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

/** The projection in Redis as this service reads and feeds it: orders per status and the latest status changes. */
export class Counters {
  private readonly known = new AppliedOffsets();
  /** Vendor -> the oldest instant in their full feed, as Redis last said. The script checks it, so it may be wrong. */
  private readonly floors = new Map<string, number>();

  constructor(
    private readonly redis: ProjectionRedis,
    private readonly keys: Keys,
  ) {}

  /** Counts an order's state in every live generation, in one step with its position. Rejects when Redis does not take it. */
  async apply(position: Position, order: OrderState): Promise<Outcome> {
    const { vendorCode } = order;
    const values = applyArguments(this.keys, '', position, this.known, order, this.floors.get(vendorCode));
    const { current, building, changed } = this.keys;
    const [outcome, generation, applied, floor] = (await inScriptSpan('applyState', () =>
      this.redis.applyState(current, building, changed, ...values),
    )) as [Outcome | 'left-out', string, number, string];
    this.floors.set(vendorCode, Number(floor));
    if (outcome === 'left-out') return this.apply(position, order);
    if (outcome === 'went-back') this.known.forget();
    else if (outcome !== 'no-generation') this.known.note(Number(generation), position.partition, applied);
    return outcome;
  }

  /** Orders per status, of one vendor or (null) of all; null while no generation is finished. */
  async kpis(vendorCode: string | null): Promise<Kpis | null> {
    const { current, prefix } = this.keys;
    const counts = (await inScriptSpan('readCounts', () =>
      this.redis.readCounts(current, prefix, scopeSuffix(vendorCode), ...STATUS_IDS),
    )) as (string | null)[] | null;
    if (!counts) return null;
    return kpisOf((statusId) => Number(counts[STATUS_IDS.indexOf(statusId)] ?? 0));
  }

  /** The last 20 status changes as JSON text, newest first, of one vendor or (null) of all; null while no generation is finished. */
  async recentActivity(vendorCode: string | null): Promise<string | null> {
    const { current, prefix } = this.keys;
    const entries = (await inScriptSpan('readFeed', () =>
      this.redis.readFeed(current, prefix, scopeSuffix(vendorCode)),
    )) as string[] | null;
    return entries && `[${entries.join(',')}]`;
  }

  /** The finished generation, or null; `wentBack` when it was just taken out of service because Redis had lost records. */
  async check(): Promise<{ generation: string | null; wentBack: boolean }> {
    const [generation, wentBack] = (await this.redis.checkApplied(
      this.keys.current,
      this.keys.building,
      this.keys.prefix,
      this.known.generation,
      ...this.known.flat(),
    )) as [string, number];
    if (wentBack === 1) this.known.forget();
    return { generation: generation || null, wentBack: wentBack === 1 };
  }

  /** The highest offset a generation took of each "<topic>/<partition>". */
  async positions(generation: string): Promise<Map<string, bigint>> {
    const fields = await this.redis.hgetall(`${this.keys.prefix}:${generation}:positions`);
    return new Map(
      Object.entries(fields).flatMap(([field, value]) => (field.endsWith('/applied') ? [] : [[field, BigInt(value)]])),
    );
  }

  /** Whether a rebuilder fills a generation: one to which Kafka delivers nothing more, or that died, loses its lock. */
  async isBuilding(): Promise<boolean> {
    return (await this.redis.get(this.keys.lock)) !== null;
  }

  /** Takes the generation out of service, if it still is the current one. */
  async discard(generation: string): Promise<boolean> {
    return (await this.redis.discardGeneration(this.keys.current, this.keys.building, generation)) === 1;
  }
}
