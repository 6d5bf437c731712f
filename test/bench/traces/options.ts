import { parseArgs } from 'node:util';
import { numberOf, wholeNumberOf } from '#local/option-values.js';

export interface TracesOptions {
  /** How often each side is measured. */
  rounds: number;
  /** Seconds of each measurement. */
  seconds: number;
  connections: number;
  /** The root of another built checkout, which is measured as `before`; null for none. */
  before: string | null;
}

/** Reads `--traces --rounds 3 --seconds 10 --connections 16 --before ../other`. Throws for what cannot be meant. */
export function readTracesOptions(args: string[]): TracesOptions {
  const { values } = parseArgs({
    args,
    options: {
      traces: { type: 'boolean' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '10' },
      connections: { type: 'string', default: '16' },
      before: { type: 'string' },
    },
  });
  return {
    rounds: wholeNumberOf('rounds', values.rounds, { from: 1, to: 20 }),
    seconds: numberOf('seconds', values.seconds, { from: 1, to: 600 }),
    connections: wholeNumberOf('connections', values.connections, { from: 1, to: 256 }),
    before: values.before ?? null,
  };
}
