/** Waits for several things at once, as long as one of them still moves. */
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
  note(thing: string, says: string): void {
    if (this.seen.get(thing) === says) return;
    this.seen.set(thing, says);
    this.movedAt = this.now();
  }

  /** Why to wait no longer, or undefined. */
  lost(): Error | undefined {
    if (this.now() - this.movedAt < this.patienceMs) return undefined;
    const last = [...this.seen].map(([thing, says]) => `${thing}: ${says}`).join('; ');
    return new Error(`nothing has moved for ${Math.round(this.patienceMs / 1000)} s; last: ${last}`);
  }
}
