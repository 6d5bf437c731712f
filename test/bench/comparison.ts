import { requireAlike } from './alike.js';
import type { LoadProcess } from './load/load-process.js';
import { type LoadRow, importLoadedOrders, measureIdle, measureImport, measureLoad } from './measurements.js';
import { DEFAULT_SECONDS, type Options } from './options.js';
import { elapsedS, progress, stopInTheEnd } from './lifetime.js';
import { openStack, startLoad } from './open-stack.js';
import { newResults, ratiosOf, type Results } from './report.js';
import type { Settlement } from './settlement.js';
import { productSide, startOtherSides } from './sides.js';
import type { RunningStack } from './stack-process.js';

const IMPORTED_ORDERS = 1_000;
const IDLE_S = 20;
const EVENTS_PER_SECOND = 50;
const EVENTS_S = 20;
/** Direct in the middle: the two that are compared most are measured closest to it. */
const ORDER = ['stock', 'direct', 'product'] as const;

/** With the default seconds; what would begin later is left out, so that a run ends within six minutes. */
const BUDGET_S = 290;

/** The product beside stock and direct. */
export async function compareSides(options: Options): Promise<Results> {
  const results = newResults(options);
  const wants = (part: Options['parts'][number]) => options.parts.includes(part);
  const { settlement, ...running } = await openStack();
  const { stack } = running;
  const load = startLoad();
  await load.aim(stack);
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
  stopInTheEnd(others.stop);
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
