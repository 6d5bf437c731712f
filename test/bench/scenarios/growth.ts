import { medianOf } from '../report.js';

interface Timed {
  /** Seconds since the first sample. */
  atS: number;
}

/** The memory of a process at a time. */
export interface MemorySample extends Timed {
  mb: number;
  /** Of JavaScript; null or absent where there is none, or it is unknown. */
  heapUsedMb?: number | null;
  externalMb?: number | null;
}

/** How the memory of one process changed. */
export interface Growth {
  start: number;
  /** Medians: of the first sixth after the warm-up, and of the last quarter. */
  warm: number;
  end: number;
  max: number;
  /** MB a minute, of a line through what came after the warm-up. */
  slope: number;
  /** `ended`: the process was gone at least once, whatever took its place. */
  verdict: 'steady' | 'grows' | 'ended';
}

/** Of the whole time; caches are filled by then. */
const WARM_UP = 1 / 3;
/** A minute, of the process's memory and at least so many MB: slower is not called growth. */
const TOLERATED_SHARE = 0.01;
const TOLERATED_MB = 1;
/** The share of the limit that must confirm the line. */
const CONFIRMING = 0.5;

/** Of the first sixth after the warm-up. */
export const afterWarmUp = <T extends Timed>(samples: readonly T[]): T[] => part(samples, WARM_UP, 1 / 2);
/** Of the last quarter. */
export const inTheEnd = <T extends Timed>(samples: readonly T[]): T[] => part(samples, 3 / 4, 1);

/** Judges the samples of one process over one run, in the order of their times. Throws when there are too few of them. */
export function growthOf(samples: readonly MemorySample[]): Growth {
  const end = inTheEnd(samples);
  if (end.length < 3) throw new Error(`${samples.length} samples are too few to tell growth`);
  return {
    start: samples[0]?.mb ?? Number.NaN,
    warm: median(afterWarmUp(samples)),
    end: median(end),
    max: Math.max(...samples.map(({ mb }) => mb)),
    slope: slopeOf(part(samples, WARM_UP, 1)),
    verdict: samples.some(({ mb }) => mb === 0) ? 'ended' : grows(samples) ? 'grows' : 'steady',
  };
}

/**
 * Whether the second half rises until the end. The line alone also rises after a single late step, as a rebuild makes one, and with
 * uncollected garbage in the last samples. So the last quarter must be above the one before it, and rise itself. A known heap must
 * also keep more after collections, because V8 lets it grow to its limit before it collects.
 */
function grows(samples: readonly MemorySample[]): boolean {
  const half = part(samples, 1 / 2, 1);
  const limit = Math.max(TOLERATED_MB, TOLERATED_SHARE * median(half));
  const quarter = inTheEnd(samples);
  const risen = median(quarter) - median(part(samples, 1 / 2, 3 / 4));
  const confirmed = risen > (CONFIRMING * limit * lengthOf(samples)) / 60 / 4;
  return slopeOf(half) > limit && confirmed && slopeOf(quarter) > CONFIRMING * limit && keepsMore(samples);
}

function keepsMore(samples: readonly MemorySample[]): boolean {
  const [before, last] = [part(samples, 1 / 2, 3 / 4), inTheEnd(samples)].map((each) =>
    Math.min(...each.flatMap(({ heapUsedMb }) => heapUsedMb ?? [])),
  ) as [number, number];
  return !Number.isFinite(last) || last > before + TOLERATED_MB;
}

/** MB a minute of the line with the least squares of distance; 0 for less than two samples. */
function slopeOf(samples: readonly MemorySample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanS, meanMb] = [mean(samples.map(({ atS }) => atS)), mean(samples.map(({ mb }) => mb))];
  const spread = samples.reduce((sum, { atS }) => sum + (atS - meanS) ** 2, 0);
  const common = samples.reduce((sum, { atS, mb }) => sum + (atS - meanS) * (mb - meanMb), 0);
  return samples.length < 2 ? 0 : (60 * common) / spread;
}

const lengthOf = (samples: readonly Timed[]): number => (samples.at(-1)?.atS ?? 0) - (samples[0]?.atS ?? 0);

/** Of these shares of the time, 0 to 1. */
function part<T extends Timed>(samples: readonly T[], from: number, to: number): T[] {
  const at = (share: number) => (samples[0]?.atS ?? 0) + share * lengthOf(samples);
  return samples.filter(({ atS }) => atS >= at(from) && (atS < at(to) || to === 1));
}

const median = (samples: readonly MemorySample[]): number => medianOf(samples.map(({ mb }) => mb));

/** Whether a process grows or ended, or requests failed. Kafka may grow: Java extends its heap up to its limit before it collects. */
export function hasFailed(growth: Readonly<Record<string, Pick<Growth, 'verdict'>>>, failedRequests: number): boolean {
  const isBad = ([name, { verdict }]: [string, Pick<Growth, 'verdict'>]) =>
    verdict === 'ended' || (verdict === 'grows' && name !== 'kafka');
  return Object.entries(growth).some(isBad) || failedRequests > 0;
}
