import { randomInt } from 'node:crypto';
import { argumentsOf } from '#local/option-values.js';
import { type Day, drawn } from './days.js';

/** What runs on a day. */
const TIERS = ['unit', 'integration', 'e2e'] as const;
type Tier = (typeof TIERS)[number];

export interface Run {
  day: Day;
  tier: Tier;
}

/** What runs, and what is passed on to jest. */
export interface Plan {
  seed: number;
  runs: readonly Run[];
  args: readonly string[];
}

/** One tier on one day, which the seed draws, unless `--tier`, `--day` or `--all` says which. Throws, naming what is allowed. */
export function planOf(args: readonly string[], days: readonly Day[]): Plan {
  const { values, positionals } = argumentsOf({
    args: [...args],
    options: {
      seed: { type: 'string' },
      all: { type: 'boolean', default: false },
      tier: { type: 'string' },
      day: { type: 'string' },
    },
    allowPositionals: true,
  });
  const seed = values.seed === undefined ? randomInt(1, 1_000_000) : Number(values.seed);
  if (!Number.isSafeInteger(seed)) throw new Error('--seed takes an integer');
  const tiers = TIERS.filter((tier) => values.tier === undefined || values.tier === tier);
  if (tiers.length === 0) throw new Error(`--tier takes one of ${TIERS.join(', ')}`);
  const chosen = days.filter(({ name }) => values.day === undefined || values.day === name);
  if (chosen.length === 0) throw new Error(`--day takes one of ${days.map(({ name }) => `'${name}'`).join(', ')}`);
  const draws = !values.all && values.day === undefined;
  const onDays = draws ? [drawn(days, seed)] : chosen;
  const runs = (draws ? [drawn(tiers, seed)] : tiers).flatMap((tier) => onDays.map((day) => ({ day, tier })));
  return { seed, runs, args: positionals };
}
