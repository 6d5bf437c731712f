import { parseArgs } from 'node:util';

/** Five tabs of a buyer and twenty users of vendors, as `users.ts` opens them. */
const LEAST_OPEN = 25;

export interface StreamsOptions {
  /** Streams on one gateway. */
  open: number;
  /** Transitions a second, and as many changes without one. */
  rate: number;
  /** Of the measurement, after the time to warm up. */
  seconds: number;
}

/** Reads `--streams --open 500 --rate 10 --seconds 20`. Throws for what cannot be meant. */
export function readStreamsOptions(args: string[]): StreamsOptions {
  const { values } = parseArgs({
    args,
    options: {
      streams: { type: 'boolean' },
      open: { type: 'string', default: '500' },
      rate: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '20' },
    },
  });
  const numberOf = (name: 'open' | 'rate' | 'seconds', least: number, most: number) => {
    const value = Number(values[name]);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new Error(`--${name} takes a whole number from ${least} to ${most}, not "${values[name]}"`);
  };
  return {
    open: numberOf('open', LEAST_OPEN, 20_000),
    rate: numberOf('rate', 1, 200),
    seconds: numberOf('seconds', 1, 600),
  };
}
