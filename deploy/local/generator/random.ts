/** Seeded random numbers, the same on every machine. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** An integer from `low` to `high`, both inclusive. */
  between(low: number, high: number): number;
  /** An element of a non-empty list. */
  one<T>(of: readonly [T, ...T[]]): T;
}

/** Mulberry32 (Tommy Ettinger, public domain), seeded with all of `seeds`. */
export function randomOf(...seeds: readonly number[]): Random {
  let state = seeds.reduce((mixed, seed) => scramble(mixed ^ (seed + 0x9e3779b9)), 0);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    return scramble(state) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return { next, between, one: (of) => of[between(0, of.length - 1)] ?? of[0] };
}

function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), value | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
