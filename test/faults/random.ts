import { seededRandom } from '@po/testing/seeded-random';

/** Random choices that a seed repeats. They decide what happens, but not the timing of processes. */
export class Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number;

  private constructor(seed: number) {
    this.next = seededRandom(seed);
  }

  /** A separate sequence for each name, so that the choices of a scenario do not depend on earlier scenarios. */
  static of(seed: number, name: string): Random {
    let hash = 0x811c9dc5 ^ seed;
    for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
    return new Random(hash >>> 0);
  }

  /** An integer from `least` to `most`, inclusive. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('there is nothing to pick from');
    return choices[this.int(0, choices.length - 1)] as T;
  }

  shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, at: this.next() }))
      .toSorted((left, right) => left.at - right.at)
      .map(({ value }) => value);
  }
}
