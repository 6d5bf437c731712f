/** Numbers of records that Redis reported as applied, by partition, in one generation. A lower number later means that Redis lost data. */
export class AppliedCounts {
  generation = 0;
  private readonly applied = new Map<string, number>();

  /** Records an answer; ignores one of an older generation. */
  record(generation: number, partition: string, applied: number): void {
    if (generation < this.generation) return;
    if (generation > this.generation) this.applied.clear();
    this.generation = generation;
    this.applied.set(partition, Math.max(applied, this.applied.get(partition) ?? 0));
  }

  of(partition: string): number {
    return this.applied.get(partition) ?? 0;
  }

  /** Alternating partitions and numbers, as arguments of the scripts. */
  flat(): (string | number)[] {
    return [...this.applied].flat();
  }

  forget(): void {
    this.generation = 0;
    this.applied.clear();
  }
}
