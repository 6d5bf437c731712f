/** Records of this window share a partition: fewer partitions touched make fewer record batches. */
const STICKY_MS = 5;

/** Where records without a key go: anywhere, those of one moment to the same place. */
export class Spread {
  private readonly chosen = new Map<string, { partition: number; until: number }>();

  choose(topic: string, partitions: number): number {
    const now = performance.now();
    let choice = this.chosen.get(topic);
    if (!choice || choice.until < now) {
      choice = { partition: Math.floor(Math.random() * partitions), until: now + STICKY_MS };
      this.chosen.set(topic, choice);
    }
    return choice.partition;
  }
}
