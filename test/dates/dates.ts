import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { INTERRUPTED, runCommand, stopOnSignal } from '#local/commands/lifecycle.js';
import { commandOutcome } from '#local/commands/tests/run-tier.js';
import { DEFAULT_DIR, childEnvironment } from '#local/config.js';
import { argumentsOf, choicesOf } from '#local/option-values.js';
import { run } from '#local/processes/run.js';
import { step } from '#local/progress.js';
import { REPOSITORY } from '#local/repository.js';
import { installTools } from '#local/tools/install.js';
import { DATE_TOOLS } from '#local/tools/tools.js';
import { type Day, daysAfter, environmentOf } from './days.js';

const TOOLS_DIR = join(DEFAULT_DIR, 'tools');
const RUNNER = join(REPOSITORY, 'deploy/local/dist/commands/test.js');
/** Maximum deviation of a process from its given time, because it takes a while to start. */
const NEAR_MS = 60_000;

/** Tiers that can run on another day. */
const TIERS = ['unit', 'integration', 'e2e'];

interface Run {
  day: Day;
  tier: string;
}

interface Outcome extends Run {
  passed: number;
  failed: number;
  seconds: number;
}

let running: ChildProcess | null = null;
let stopped = false;

/** Throws if a process does not get its given time, as without the library: every test would pass with today's date. */
async function assertMoved(environment: Record<string, string>, at: Date): Promise<void> {
  const program = 'process.stdout.write(String(Date.now()))';
  const printed = await run(process.execPath, ['-e', program], { env: childEnvironment(environment) });
  const offBy = Number(printed) - at.getTime();
  if (!(Math.abs(offBy) < NEAR_MS)) throw new Error(`the shifted clock of a process is ${offBy} ms off`);
}

/** Runs a tier on a day with the usual test runner. The runner and every process that it starts live on that day. */
async function runOn({ day, tier }: Run, tools: string, args: readonly string[]): Promise<Outcome> {
  const startedAt = performance.now();
  const environment = environmentOf(day, new Date(), tools);
  await assertMoved(environment, day.at);
  const { passed, failed } = await new Promise<{ passed: number; failed: number }>((resolve, reject) => {
    const child = spawn(process.execPath, ['--no-warnings', RUNNER, '--tier', tier, ...args], {
      cwd: REPOSITORY,
      env: childEnvironment(environment),
      // The IPC channel lets the runner notice the end of this process, whatever its cause.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    running = child;
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(commandOutcome(code ?? 1, output)));
  });
  running = null;
  return { day, tier, passed, failed, seconds: (performance.now() - startedAt) / 1000 };
}

const line = ({ day, tier, passed, failed, seconds }: Outcome): string =>
  `  ${day.name.padEnd(18)} ${day.at.toISOString().slice(0, 16)} ${day.timeZone.padEnd(20)} ${tier.padEnd(12)}` +
  `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s\n`;

/** Runs and arguments for jest: a random tier on a random day, unless `--tier`, `--day` or `--all` selects others. */
function readArguments(): { runs: Run[]; args: string[] } {
  const { values, positionals: args } = argumentsOf({
    options: { all: { type: 'boolean', default: false }, tier: { type: 'string' }, day: { type: 'string' } },
    allowPositionals: true,
  });
  const chosen = (option: 'tier' | 'day', choices: readonly string[]): string[] => {
    const text = values[option] ?? choices[randomInt(choices.length)] ?? '';
    return values.all && values[option] === undefined ? [...choices] : choicesOf(option, text, choices);
  };
  const all = daysAfter(new Date());
  const names = chosen(
    'day',
    all.map(({ name }) => name),
  );
  const days = all.filter(({ name }) => names.includes(name));
  return { runs: chosen('tier', TIERS).flatMap((tier) => days.map((day) => ({ day, tier }))), args };
}

/** `npm run test:dates`: runs tests on other days than today. */
async function main(): Promise<number> {
  const { runs, args } = readArguments();
  const tools = await installTools(TOOLS_DIR, DATE_TOOLS, step);
  stopOnSignal({
    status: INTERRUPTED,
    stop: async () => {
      stopped = true;
      const child = running;
      if (!child) return;
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await closed;
    },
    kill: () => running?.kill('SIGKILL'),
  });
  const outcomes: Outcome[] = [];
  for (const run of runs) {
    const { name, at, timeZone } = run.day;
    process.stdout.write(`\n--tier ${run.tier} --day '${name}': ${at.toISOString()}, ${timeZone}\n`);
    const outcome = await runOn(run, tools, args);
    if (stopped) return new Promise(() => undefined);
    outcomes.push(outcome);
  }
  const sum = (name: 'passed' | 'failed') => outcomes.reduce((total, outcome) => total + outcome[name], 0);
  process.stdout.write(`\n${outcomes.map(line).join('')}\n`);
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
  return sum('failed') === 0 ? 0 : 1;
}

await runCommand(main);
