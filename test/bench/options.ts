import { parseArgs } from 'node:util';

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

const isPart = (text: string): text is Part => (PARTS as readonly string[]).includes(text);

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
  const only = values.only.split(',');
  const unknown = only.find((part) => !isPart(part));
  if (unknown !== undefined) throw new Error(`--only takes ${PARTS.join(', ')}, separated by commas, not "${unknown}"`);
  const connections = values.connections.split(',').map(Number);
  if (!connections.every((count) => Number.isInteger(count) && count >= 1 && count <= 256)) {
    throw new Error('--connections takes numbers from 1 to 256, separated by commas');
  }
  const seconds = Number(values.seconds);
  if (!(seconds >= 1 && seconds <= 600)) throw new Error('--seconds takes a number from 1 to 600');
  return { parts: PARTS.filter((part) => only.includes(part)), connections, seconds };
}
