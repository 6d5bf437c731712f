/** Detects when several awaited dependencies have all stopped making progress. */
export class StallDetector {
  private readonly seen = new Map<string, string>();
  private progressedAt: number;

  constructor(
    private readonly limitMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.progressedAt = now();
  }

  /** Records the state of a dependency; a changed text counts as progress. */
  record(dependency: string, state: string): void {
    if (this.seen.get(dependency) === state) return;
    this.seen.set(dependency, state);
    this.progressedAt = this.now();
  }

  /** Error with the last states if there was no progress within the limit; otherwise undefined. */
  stalled(): Error | undefined {
    if (this.now() - this.progressedAt < this.limitMs) return undefined;
    const last = [...this.seen].map(([dependency, state]) => `${dependency}: ${state}`).join('; ');
    return new Error(`no progress for ${Math.round(this.limitMs / 1000)} s; last: ${last}`);
  }
}
