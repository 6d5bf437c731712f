import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '#local/config.js';
import { stopAll, stopOnSignal } from './lifetime.js';
import { type OptionTable, nameOf, readOptions } from './options.js';
import { type Report, printReport } from './report.js';
import * as backup from './scenarios/backup.js';
import * as comparison from './scenarios/comparison.js';
import * as exports from './scenarios/exports.js';
import * as mail from './scenarios/mail.js';
import * as reminders from './scenarios/reminders.js';
import * as replicas from './scenarios/replicas.js';
import * as scale from './scenarios/scale.js';
import * as soak from './scenarios/soak.js';
import * as streams from './scenarios/streams.js';
import * as traces from './scenarios/traces.js';

interface Scenario {
  OPTIONS: OptionTable;
  /** Takes the options that `readOptions` read by the scenario's OPTIONS. */
  measure: (options: never) => Promise<Report>;
}

const SCENARIOS: Record<string, Scenario> = {
  comparison,
  scale,
  replicas,
  exports,
  soak,
  streams,
  traces,
  mail,
  reminders,
  backup,
};

function selected() {
  try {
    const { name, args } = nameOf(process.argv.slice(2), Object.keys(SCENARIOS));
    const { OPTIONS, measure } = SCENARIOS[name] as Scenario;
    return { name, measure, options: readOptions(args, OPTIONS) };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

const { name, measure, options } = selected();
stopOnSignal();
try {
  const machine = {
    cores: cpus().length,
    memoryMb: Math.round(totalmem() / 2 ** 20),
    node: process.version,
    loadAverageAtStart: loadavg()[0] ?? 0,
  };
  const at = new Date().toISOString();
  const report = await measure(options as never);
  printReport({ ...report, tables: [{ title: 'Measured on', rows: [machine] }, ...report.tables] });
  const { dir } = readSettings();
  mkdirSync(dir, { recursive: true });
  const file = join(dir, name === 'comparison' ? 'bench.json' : `bench-${name}.json`);
  writeFileSync(file, JSON.stringify({ at, machine, options, ...report }, null, 2));
  if (report.failed) process.exitCode = 1;
} finally {
  await stopAll();
}
