/** Memory of a process at one moment. */
export interface MemorySample {
  /** Seconds since the first sample. */
  atS: number;
  residentMb: number;
  /** Memory that a leak would grow: JavaScript heap and buffers, or the private memory of a store. NaN if unknown. */
  retainedMb: number;
}

/** Memory change of one process during the second half of a run, in MB. */
interface Growth {
  /** Minimum of the third and of the last quarter, which is what remains after collections. */
  third: number;
  last: number;
  /** `ended`: the process was missing at least once, even if another took its place. */
  verdict: 'steady' | 'grows' | 'ended';
}

/** Thresholds: relative growth per minute and an absolute minimum in MB. Slower growth is ignored. */
const TOLERATED_SHARE = 0.01;
const TOLERATED_MB = 1;

/** Evaluates the samples of one process. Throws if there are too few. */
export function growthOf(samples: readonly MemorySample[]): Growth {
  if (samples.length < 12) throw new Error(`${samples.length} samples are too few to tell growth`);
  const seconds = samples.at(-1)?.atS ?? 0;
  const leastBetween = (from: number, to: number, of: 'residentMb' | 'retainedMb') => {
    const quarter = samples.filter(({ atS }) => atS >= from * seconds && atS < to * seconds);
    const measured = quarter.map((sample) => sample[of]).filter((mb) => !Number.isNaN(mb));
    if (measured.length === 0) throw new Error(`no sample of ${of} in a quarter of the time`);
    return Math.min(...measured);
  };
  const limit = (mb: number) => Math.max(TOLERATED_MB, TOLERATED_SHARE * mb) * (seconds / 60 / 4);
  const leasts = (['residentMb', 'retainedMb'] as const).map((of) => {
    const [third, last] = [leastBetween(1 / 2, 3 / 4, of), leastBetween(3 / 4, Infinity, of)];
    return { third, last, rises: last - third > limit(third) };
  });
  const { third = 0, last = 0 } = leasts[1] ?? {};
  const hasEnded = samples.some(({ residentMb }) => residentMb === 0);
  return { third, last, verdict: hasEnded ? 'ended' : leasts.every(({ rises }) => rises) ? 'grows' : 'steady' };
}
