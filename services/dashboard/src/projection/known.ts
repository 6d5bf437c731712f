/** How much of each partition Redis said it has applied, in one generation: less than that later means that Redis lost something. */
export class Known {
  generation = 0;
  private readonly applied = new Map<string, number>();

  /** Takes an answer in; those of an older generation change nothing. */
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
