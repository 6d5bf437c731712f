import { REPLY_PARTITIONS } from '@po/contracts';
import { ReplySlot, type ReplySlotOptions, slotOf } from './reply-slot.js';
import { Ways } from './ways.js';

/** Neighbouring partitions are led by different brokers, as a cluster places them. */
const SLOTS = 2;

/** An instance's slots: answers come by the first while it works, else by the other, which is ready beside it. */
export class ReplySlots {
  readonly ways = new Ways(SLOTS);
  private readonly slots: ReplySlot[];

  constructor(options: Omit<ReplySlotOptions, 'partition'>) {
    const first = slotOf(options.instanceId);
    this.slots = Array.from(
      { length: SLOTS },
      (_, index) => new ReplySlot({ ...options, partition: (first + index) % REPLY_PARTITIONS }),
    );
  }

  /** Whether answers can come back: by one slot is enough. */
  get proven(): boolean {
    return this.slots.some(({ proven }) => proven);
  }

  /** Not true when only a restart of the process can help. */
  get alive(): true | string {
    return this.slots.map(({ watchdog }) => watchdog.alive).find((alive) => alive !== true) ?? true;
  }

  /** Where the next answer shall come, by another slot than `not`; never by one that is not proven while another is. */
  choose(not?: number): number {
    const chosen = this.ways.choose(0, not);
    return this.slots[chosen]?.proven
      ? chosen
      : Math.max(
          0,
          this.slots.findIndex(({ proven }) => proven),
        );
  }

  partition(slot: number): number {
    return (this.slots[slot] as ReplySlot).partition;
  }

  /** Returns at once; proves the slots in the background. */
  start(): void {
    for (const slot of this.slots) slot.start();
  }

  /** An answer is overdue by this slot: makes sure that answers can come by it at all. */
  doubt(slot: number): void {
    this.slots[slot]?.doubt();
  }

  async stop(): Promise<void> {
    await Promise.all(this.slots.map((slot) => slot.stop()));
  }
}
