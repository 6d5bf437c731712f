import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import { requireAlike } from './alike.js';
import { LoadProcess } from './load/load-process.js';
import { type LoadRow, importLoadedOrders, measureIdle, measureImport, measureLoad } from './measurements.js';
import { DEFAULT_SECONDS, type Options, readOptions } from './options.js';
import { newResults, print, ratiosOf, type Results, startOfRun } from './report.js';
import { openSettlement, type Settlement } from './settlement.js';
import { productSide, startOtherSides } from './sides.js';
import { scaleContext } from './scale/context.js';
import { readScaleOptions } from './scale/options.js';
import { contentsOf, prepareOrders } from './scale/prepare.js';
import { copyStack, keepStack, requireNothingIn, requirePrepared } from './scale/prepared-folder.js';
import { dashboardFilled } from './scale/rebuild.js';
import { type ScaleResults, printScale } from './scale/report.js';
import { measureScale } from './scale/scale.js';
import { type RunningStack, startStackProcess } from './stack-process.js';

const IMPORTED_ORDERS = 1_000;
const IDLE_S = 20;
const EVENTS_PER_SECOND = 50;
const EVENTS_S = 20;
/** Direct in the middle: the two that are compared most are measured closest to it. */
const ORDER = ['stock', 'direct', 'product'] as const;

/** With the default seconds; what would begin later is left out, so that a run ends within six minutes. */
const BUDGET_S = 290;
/** What many orders cause takes minutes. */
const SCALE_PATIENCE_MS = 15 * 60_000;

const elapsedS = (): number => performance.now() / 1000;
const progress = (line: string): void =>
  void process.stderr.write(`  ${elapsedS().toFixed(0).padStart(3)} s  ${line}\n`);

const stops: (() => Promise<void>)[] = [];
let stopping: Promise<void> | null = null;
/** Ends what was started, last first. A signal and the failure that it causes wait for the same end. */
function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
  })().finally(() => (stopping = null));
  return stopping;
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void stopAll().finally(() => process.exit(130)));
}

interface StartedStack {
  running: RunningStack;
  settlement: Settlement;
  /** Ends it and leaves its folder. */
  end: () => Promise<void>;
}

/** A stack and what tells of it, until `stopAll`. */
async function startStack({
  fill,
  patienceMs,
}: { fill?: (folder: string) => Promise<void>; patienceMs?: number } = {}) {
  progress('start the stack');
  const starting = startStackProcess(fill);
  stops.push(starting.stop);
  const running = await starting.ready;
  const settlement = await openSettlement(running.stack, patienceMs);
  stops.push(settlement.close);
  const end = async () => {
    stops.pop();
    await settlement.close();
    await starting.end();
  };
  return { running, settlement, end } satisfies StartedStack;
}

async function run(options: Options): Promise<Results> {
  const results = newResults(options);
  const wants = (part: Options['parts'][number]) => options.parts.includes(part);
  const { running, settlement } = await startStack();
  const { stack } = running;
  const load = new LoadProcess();
  stops.push(() => load.stop());
  await load.aim({
    kafkaBrokers: stack.kafkaBrokers,
    notificationsUrl: stack.databaseUrls.notifications,
    redisUrl: stack.redisUrl,
    tokens: { buyer: stack.tokens.buyer ?? '', vendor: stack.tokens['vendor:ACME'] ?? '' },
  });
  await importLoadedOrders(stack, settlement);
  if (wants('import')) {
    progress(`import ${IMPORTED_ORDERS} orders`);
    results.import = await measureImport(stack, settlement, IMPORTED_ORDERS);
  }
  if (wants('idle')) {
    progress(`idle for ${IDLE_S} s`);
    results.idle = await measureIdle(stack, IDLE_S);
  }
  if (wants('events')) {
    progress(`${EVENTS_PER_SECOND} transitions a second for ${EVENTS_S} s`);
    const command = {
      command: 'events',
      url: stack.gatewayUrl,
      perSecond: EVENTS_PER_SECOND,
      seconds: EVENTS_S,
    } as const;
    results.events = await load.execute(command);
    await settlement.settled();
  }
  const kinds = (['get', 'transition'] as const).filter(wants);
  if (kinds.length > 0) results.load = await compare(running, settlement, load, kinds, options);
  results.ratios = ratiosOf(results.load);
  return results;
}

/** Measures the sides in turn at each number of connections, so that what changes with time changes for all. */
async function compare(
  { stack, folder }: RunningStack,
  settlement: Settlement,
  load: LoadProcess,
  kinds: readonly LoadRow['kind'][],
  { connections, seconds }: Options,
): Promise<LoadRow[]> {
  progress('start the stock and the direct side');
  const others = await startOtherSides(stack, folder, settlement);
  stops.push(others.stop);
  const sides = [...others.sides, productSide(stack)];
  await requireAlike(sides, stack);
  const rows: LoadRow[] = [];
  const budgetS = BUDGET_S + kinds.length * connections.length * ORDER.length * Math.max(0, seconds - DEFAULT_SECONDS);
  for (const kind of kinds) {
    for (const count of connections) {
      if (elapsedS() > budgetS) {
        progress(`${kind}, ${count} connections: left out, this machine is too slow or too busy`);
        continue;
      }
      for (const name of ORDER) {
        const side = sides.find((each) => each.name === name);
        if (!side) throw new Error(`there is no ${name} side`);
        const row = await measureLoad({ stack, load, settlement }, side, kind, count, seconds);
        progress(`${kind}, ${count} connections, ${name}: ${row.requestsPerSecond.toFixed(0)} a second`);
        rows.push(row);
      }
    }
  }
  return rows;
}

/** The product alone, with many orders: imported into a stack, or in a copy of one that was kept. */
async function runScale(args: string[]): Promise<ScaleResults> {
  const options = readScaleOptions(args);
  const { keep, prepared, assortment, parts } = options;
  const contents = contentsOf(assortment);
  if (keep !== null) await requireNothingIn(keep);
  if (prepared !== null) await requirePrepared(prepared, contents);
  const results: ScaleResults = { ...startOfRun(), options };
  let started: StartedStack | null = null;
  if (prepared === null) {
    started = await startStack({ patienceMs: SCALE_PATIENCE_MS });
    const imports = await prepareOrders({ ...started, progress }, assortment, parts.includes('import'));
    if (imports) results.imports = imports;
  }
  if (started && keep !== null) {
    progress('keep the stack');
    await started.end();
    await keepStack(started.running.folder, keep, contents);
    await stopAll();
    started = null;
  }
  const kept = keep ?? prepared;
  if (kept !== null && parts.some((part) => part !== 'import')) started = await startKept(kept);
  if (!started) return results;
  return { ...results, ...(await measureScale(await scaleContext(started, options, progress))) };
}

/** A copy of a kept stack, with its dashboard filled again. */
async function startKept(folder: string): Promise<StartedStack> {
  progress('copy the prepared stack');
  const started = await startStack({ fill: (copy) => copyStack(folder, copy), patienceMs: SCALE_PATIENCE_MS });
  progress('wait for the dashboard');
  await dashboardFilled(started.running.stack);
  await started.settlement.settled();
  return started;
}

function keep(name: string, results: object): void {
  const folder = join(REPOSITORY, '.local');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(results, null, 2));
}

const args = process.argv.slice(2);
try {
  if (args.includes('--scale')) {
    const results = await runScale(args.filter((each) => each !== '--scale'));
    printScale(results);
    keep('bench-scale.json', results);
  } else {
    const results = await run(readOptions(args));
    print(results);
    keep('bench.json', results);
  }
} finally {
  await stopAll();
}
