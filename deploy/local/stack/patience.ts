/** Detects when several awaited dependencies have all stopped making progress. */
export class Patience {
  private readonly seen = new Map<string, string>();
  private movedAt: number;

  constructor(
    private readonly patienceMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.movedAt = now();
  }

  /** Records the state of a dependency; a changed text counts as progress. */
  note(dependency: string, state: string): void {
    if (this.seen.get(dependency) === state) return;
    this.seen.set(dependency, state);
    this.movedAt = this.now();
  }

  /** Error with the last states if there was no progress within the limit; otherwise undefined. */
  lost(): Error | undefined {
    if (this.now() - this.movedAt < this.patienceMs) return undefined;
    const last = [...this.seen].map(([dependency, state]) => `${dependency}: ${state}`).join('; ');
    return new Error(`no progress for ${Math.round(this.patienceMs / 1000)} s; last: ${last}`);
  }
}
