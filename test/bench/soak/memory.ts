import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES, type StackFile } from '#local/stack/stack-file.js';
import { usageOf } from '../usage.js';

/** What a process has at one time, MB. */
export interface MemorySample {
  /** Seconds since the first sample. */
  atS: number;
  mb: number;
  /** Of JavaScript and beside it; null for what is no service, or did not answer. */
  heapUsedMb: number | null;
  externalMb: number | null;
}

const EVERY_MS = 5_000;
const ANSWER_MS = 2_000;

interface Watched {
  name: string;
  read: () => Promise<Omit<MemorySample, 'atS'>>;
}

/** Takes samples of every process of the stack, from now until `stop`, which resolves with them by the process's name. */
export function watchMemory(stack: StackFile): { stop: () => Promise<Record<string, MemorySample[]>> } {
  const watched = [...services(stack), ...stores(stack)];
  const samples = Object.fromEntries(watched.map(({ name }) => [name, [] as MemorySample[]]));
  const stopping = new AbortController();
  const startedAt = performance.now();
  const watching = (async () => {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      const atS = (performance.now() - startedAt) / 1000;
      await Promise.all(watched.map(async ({ name, read }) => samples[name]?.push({ atS, ...(await read()) })));
      const next = startedAt + (round + 1) * EVERY_MS;
      await delay(Math.max(0, next - performance.now()), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  // What goes wrong is told by `stop`.
  watching.catch(() => undefined);
  return {
    stop: async () => {
      stopping.abort();
      await watching;
      return samples;
    },
  };
}

function services({ pids, managementUrls }: StackFile): Watched[] {
  return SERVICES.map((service) => ({
    name: service,
    read: async () => ({
      mb: usageOf(pids[service][0] ?? 0).residentMb,
      ...(await heapOf(managementUrls[service][0])),
    }),
  }));
}

/**
 * Stores in containers are not ours to look into. Of the others counts what each process has for itself: files that Kafka and
 * PostgreSQL map, and the buffers that PostgreSQL's processes share, fill up with the data and are the system's to take back.
 */
function stores({ pids: { kafka, postgres, redis } }: StackFile): Watched[] {
  return Object.entries({ kafka, postgres, redis }).flatMap(([name, pid]): Watched[] =>
    pid === null
      ? []
      : [{ name, read: () => Promise.resolve({ mb: usageOf(pid).ownMb, heapUsedMb: null, externalMb: null }) }],
  );
}

/** Of a service, by its metrics; nulls when it does not answer. */
export async function heapOf(managementUrl = ''): Promise<Pick<MemorySample, 'heapUsedMb' | 'externalMb'>> {
  const metrics = await fetch(`${managementUrl}/metrics`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    (answer) => answer.text(),
    () => '',
  );
  const mbOf = (name: string) => {
    const bytes = new RegExp(`^${name} ([\\d.e+]+)$`, 'm').exec(metrics)?.[1];
    return bytes === undefined ? null : Number(bytes) / 2 ** 20;
  };
  return { heapUsedMb: mbOf('nodejs_heap_size_used_bytes'), externalMb: mbOf('nodejs_external_memory_bytes') };
}
