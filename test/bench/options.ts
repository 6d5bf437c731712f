import { parseArgs } from 'node:util';
import { choicesOf, numberOf, wholeNumbersOf } from '#local/option-values.js';

const PARTS = ['get', 'transition', 'events', 'import', 'idle'] as const;
/** Of each measurement under load. */
export const DEFAULT_SECONDS = 5;
type Part = (typeof PARTS)[number];

export interface Options {
  /** What is measured, in the order of PARTS. */
  parts: readonly Part[];
  connections: number[];
  /** Seconds of each measurement under load. */
  seconds: number;
}

/** Reads `--only get,transition --connections 16,64 --seconds 5`. Throws for what cannot be meant. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: PARTS.join(',') },
      connections: { type: 'string', default: '1,16,64' },
      seconds: { type: 'string', default: String(DEFAULT_SECONDS) },
    },
  });
  return {
    parts: choicesOf('only', values.only, PARTS),
    connections: wholeNumbersOf('connections', values.connections, { from: 1, to: 256 }),
    seconds: numberOf('seconds', values.seconds, { from: 1, to: 600 }),
  };
}
