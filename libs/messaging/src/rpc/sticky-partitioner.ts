/** Records within this window share a partition and thus a record batch. */
const STICKY_MS = 5;

/** Picks partitions for records without a key: random ones, each for a few milliseconds (KIP-480). */
export class StickyPartitioner {
  private readonly picked = new Map<string, { partition: number; until: number }>();

  pick(topic: string, partitions: number): number {
    const now = performance.now();
    let sticky = this.picked.get(topic);
    if (!sticky || sticky.until < now) {
      sticky = { partition: Math.floor(Math.random() * partitions), until: now + STICKY_MS };
      this.picked.set(topic, sticky);
    }
    return sticky.partition;
  }
}
