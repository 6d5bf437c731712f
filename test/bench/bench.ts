import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import { stopAll, stopOnSignal } from './lifetime.js';
import { type OptionTable, type OptionsOf, readOptions } from './options.js';
import { type Report, printReport } from './report.js';
import { nameOf } from './scenario-name.js';
import * as comparison from './scenarios/comparison.js';
import * as exports from './scenarios/exports.js';
import * as replicas from './scenarios/replicas.js';
import * as scale from './scenarios/scale.js';
import * as soak from './scenarios/soak.js';
import * as streams from './scenarios/streams.js';
import * as traces from './scenarios/traces.js';

interface Scenario<Table extends OptionTable> {
  OPTIONS: Table;
  measure: (options: OptionsOf<Table>) => Promise<Report>;
}

/** Reads the options before anything starts; the returned function measures. */
const prepare =
  <Table extends OptionTable>({ OPTIONS, measure }: Scenario<Table>) =>
  (args: string[]) => {
    const options = readOptions(args, OPTIONS);
    return { options, measure: () => measure(options) };
  };

const SCENARIOS = {
  comparison: prepare(comparison),
  scale: prepare(scale),
  replicas: prepare(replicas),
  exports: prepare(exports),
  soak: prepare(soak),
  streams: prepare(streams),
  traces: prepare(traces),
};

stopOnSignal();
try {
  const { name, args } = nameOf(process.argv.slice(2));
  const { options, measure } = SCENARIOS[name](args);
  const machine = {
    cores: cpus().length,
    memoryMb: Math.round(totalmem() / 2 ** 20),
    node: process.version,
    loadAverageAtStart: loadavg()[0] ?? 0,
  };
  const at = new Date().toISOString();
  const report = await measure();
  printReport({ ...report, tables: [{ title: 'Measured on', rows: [machine] }, ...report.tables] });
  const folder = join(REPOSITORY, '.local');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name === 'comparison' ? 'bench.json' : `bench-${name}.json`);
  writeFileSync(file, JSON.stringify({ at, machine, options, ...report }, null, 2));
  if (report.failed) process.exitCode = 1;
} finally {
  await stopAll();
}
