/** The offsets that Redis reported as applied, by partition, in one generation. A lower offset later means that Redis lost data. */
export class AppliedOffsets {
  generation = 0;
  private readonly applied = new Map<string, number>();

  /** Records an answer; one of an older generation is ignored. */
  note(generation: number, partition: string, applied: number): void {
    if (generation < this.generation) return;
    if (generation > this.generation) this.applied.clear();
    this.generation = generation;
    this.applied.set(partition, Math.max(applied, this.applied.get(partition) ?? 0));
  }

  of(partition: string): number {
    return this.applied.get(partition) ?? 0;
  }

  /** Partition and number alternating, as the scripts take them. */
  flat(): (string | number)[] {
    return [...this.applied].flat();
  }

  forget(): void {
    this.generation = 0;
    this.applied.clear();
  }
}
