import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import { compareSides } from './comparison.js';
import { measureExports } from './exports/exports.js';
import { readExportsOptions } from './exports/options.js';
import { printExports } from './exports/report.js';
import { stopAll, stopOnSignal } from './lifetime.js';
import { type ModeName, modeOf } from './mode.js';
import { readOptions } from './options.js';
import { readReplicasOptions } from './replicas/options.js';
import { measureReplicas } from './replicas/replicas.js';
import { printReplicas } from './replicas/report.js';
import { print } from './report.js';
import { readScaleOptions } from './scale/options.js';
import { printScale } from './scale/report.js';
import { measureScale } from './scale/scale.js';
import { readSoakOptions } from './soak/options.js';
import { printSoak } from './soak/report.js';
import { measureSoak } from './soak/soak.js';
import { hasFailed } from './soak/verdict.js';
import { readStreamsOptions } from './streams/options.js';
import { printStreams } from './streams/report.js';
import { measureLiveStreams } from './streams/streams.js';
import { readTracesOptions } from './traces/options.js';
import { printTraces } from './traces/report.js';
import { measureTraces } from './traces/traces.js';

/** What is kept of a run, and under which name; `failed` is its exit status. */
interface Outcome {
  file: string;
  results: object;
  failed: boolean;
}

const MODES: Record<ModeName, (args: string[]) => Promise<Outcome>> = {
  comparison: async (args) => {
    const results = await compareSides(readOptions(args));
    print(results);
    return { file: 'bench.json', results, failed: false };
  },
  scale: async (args) => {
    const results = await measureScale(readScaleOptions(args));
    printScale(results);
    return { file: 'bench-scale.json', results, failed: false };
  },
  replicas: async (args) => {
    const results = await measureReplicas(readReplicasOptions(args));
    printReplicas(results);
    return { file: 'bench-replicas.json', results, failed: false };
  },
  exports: async (args) => {
    const results = await measureExports(readExportsOptions(args));
    printExports(results);
    return { file: 'bench-exports.json', results, failed: false };
  },
  soak: async (args) => {
    const results = await measureSoak(readSoakOptions(args));
    printSoak(results);
    return { file: 'bench-soak.json', results, failed: hasFailed(results) };
  },
  streams: async (args) => {
    const results = await measureLiveStreams(readStreamsOptions(args));
    printStreams(results);
    return { file: 'bench-streams.json', results, failed: false };
  },
  traces: async (args) => {
    const results = await measureTraces(readTracesOptions(args));
    printTraces(results);
    return { file: 'bench-traces.json', results, failed: false };
  },
};

function keep({ file, results }: Outcome): void {
  const folder = join(REPOSITORY, '.local');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify(results, null, 2));
}

stopOnSignal();
const args = process.argv.slice(2);
try {
  const outcome = await MODES[modeOf(args)](args);
  keep(outcome);
  if (outcome.failed) process.exitCode = 1;
} finally {
  await stopAll();
}
