import { setTimeout as delay } from 'node:timers/promises';
import { REPLY_PARTITIONS, TOPICS } from '@po/contracts';
import { ReplySlot, type ReplySlotOptions, slotOf } from './reply-slot.js';
import { Endpoints } from './endpoints.js';

const SLOTS = 2;
const LOOK_EVERY_MS = 500;

/** An instance's slots: answers come by the first while it works, else by the other, which is ready beside it on another broker. */
export class ReplySlots {
  readonly endpoints = new Endpoints(SLOTS);
  private readonly slots: ReplySlot[];
  private readonly stopping = new AbortController();
  private opening: Promise<void> = Promise.resolve();

  constructor(private readonly options: Omit<ReplySlotOptions, 'partition' | 'apartFrom'>) {
    const apartFrom = () => this.slots[1]?.places ?? [];
    this.slots = [new ReplySlot({ ...options, partition: slotOf(options.instanceId), apartFrom })];
  }

  /** Whether answers can come back: by one slot is enough. */
  get proven(): boolean {
    return this.slots.some(({ proven }) => proven);
  }

  /** True once answers can come back; else why not, as far as that is known. */
  get ready(): true | string {
    if (this.proven) return true;
    const reasons = [...this.slots.map(({ failure }) => failure), ...this.options.kafka.authorizationFailures()].filter(
      Boolean,
    );
    const because = reasons.length > 0 ? `: ${[...new Set(reasons)].join('; ')}` : '';
    return `no ping came back through the reply topic yet${because}`;
  }

  /** Not true when only a restart of the process can help. */
  get alive(): true | string {
    return this.slots.map(({ watchdog }) => watchdog.alive).find((alive) => alive !== true) ?? true;
  }

  /** Where the next answer shall come, by another slot than `not`; never by one that is not proven while another is. */
  choose(not?: number): number {
    const chosen = this.endpoints.pick(0, { not: not === undefined ? [] : [not] });
    if (this.slots[chosen]?.proven) return chosen;
    const proven = this.slots.findIndex((slot) => slot.proven);
    return Math.max(0, proven);
  }

  partition(slot: number): number {
    return (this.slots[slot] as ReplySlot).partition;
  }

  /** Returns at once; proves the slots in the background. */
  start(): void {
    this.slots[0]?.start();
    this.opening = this.openOther();
  }

  /** An answer is overdue by this slot: makes sure that answers can come by it at all. */
  doubt(slot: number): void {
    this.slots[slot]?.doubt();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.opening;
    await Promise.all(this.slots.map((slot) => slot.stop()));
  }

  private async openOther(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const leaders = await this.options.kafka.leaders(TOPICS.replies).catch(() => null);
      if (signal.aborted) return;
      if (leaders) {
        const first = this.partition(0);
        const others = leaders.map((_, step) => (first + 1 + step) % REPLY_PARTITIONS);
        const apart = others.find((other) => (leaders[other] ?? -1) >= 0 && leaders[other] !== leaders[first]);
        const partition = apart ?? (first + 1) % REPLY_PARTITIONS;
        const slot = new ReplySlot({ ...this.options, partition, apartFrom: () => this.slots[0]?.places ?? [] });
        this.slots.push(slot);
        slot.start();
        return;
      }
      await delay(LOOK_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }
}
