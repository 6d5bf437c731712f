import { progress, stopAll } from '../lifetime.js';
import { type RunStart, startOfRun } from '../machine.js';
import { type OpenStack, openStack } from '../open-stack.js';
import { type ScaleContext, scaleContext } from './context.js';
import { type FanOutResult, measureFanOut } from './fan-out.js';
import { measureInboxes } from './inbox.js';
import { type ListRow, measureLists } from './lists.js';
import type { ScaleOptions } from './options.js';
import { type ImportFigures, contentsOf, prepareOrders } from './prepare.js';
import { copyStack, keepStack, requireNothingIn, requirePrepared } from './prepared-folder.js';
import { type RebuildResult, dashboardFilled, measureRebuild } from './rebuild.js';
import { type RequestRow, measureTransport } from './requests.js';
import { measureOrders } from './writes.js';

/** What many orders cause takes minutes. */
const PATIENCE_MS = 15 * 60_000;
/** Orders for each transition that is fanned out. */
const ORDERS_A_TRANSITION = 10;

/** What one run measured; absent parts were not asked for. */
interface ScaleFigures {
  lists?: ListRow[];
  /** One after another on one connection: transport alone, reads and writes of orders, inboxes. */
  requests?: RequestRow[];
  fanOut?: FanOutResult;
  rebuild?: RebuildResult;
}

/** What `.local/bench-scale.json` holds. */
export interface ScaleResults extends RunStart, ScaleFigures {
  options: ScaleOptions;
  imports?: ImportFigures;
}

/** The product alone, with many orders: imported into a stack, or in a copy of one that was kept. */
export async function measureScale(options: ScaleOptions): Promise<ScaleResults> {
  const { keep, prepared, assortment, parts } = options;
  const contents = contentsOf(assortment);
  if (keep !== null) await requireNothingIn(keep);
  if (prepared !== null) await requirePrepared(prepared, contents);
  const results: ScaleResults = { ...startOfRun(), options };
  let opened: OpenStack | null = null;
  if (prepared === null) {
    opened = await openStack({ patienceMs: PATIENCE_MS });
    const imports = await prepareOrders(opened, assortment, parts.includes('import'));
    if (imports) results.imports = imports;
  }
  if (opened && keep !== null) {
    progress('keep the stack');
    await opened.end();
    await keepStack(opened.folder, keep, contents);
    await stopAll();
    opened = null;
  }
  const kept = keep ?? prepared;
  if (kept !== null && parts.some((part) => part !== 'import')) opened = await openKept(kept);
  if (!opened) return results;
  return { ...results, ...(await measureParts(await scaleContext(opened, options))) };
}

/** A copy of a kept stack, with its dashboard filled again. */
async function openKept(folder: string): Promise<OpenStack> {
  progress('copy the prepared stack');
  const opened = await openStack({ fill: (copy) => copyStack(folder, copy), patienceMs: PATIENCE_MS });
  progress('wait for the dashboard');
  await dashboardFilled(opened.stack);
  await opened.settlement.settled();
  return opened;
}

/** Measures every part that is wanted but the imports, on a stack whose orders are there. */
async function measureParts(context: ScaleContext): Promise<ScaleFigures> {
  const { stack, settlement, options } = context;
  const wants = (part: (typeof options.parts)[number]) => options.parts.includes(part);
  const figures: ScaleFigures = {};
  if (wants('lists')) figures.lists = await measureLists(context);
  const requests = [
    ...(wants('writes') ? await measureOrders(context) : []),
    ...(wants('inbox') ? await measureInboxes(context) : []),
  ];
  // Behind the others, when every process is warm; it stands before them.
  if (requests.length > 0) figures.requests = [...(await measureTransport(context)), ...requests];
  if (wants('fan-out')) {
    const transitions = Math.ceil(options.assortment.orders / ORDERS_A_TRANSITION);
    progress(`fan out ${transitions} transitions`);
    figures.fanOut = await measureFanOut(settlement, transitions);
  }
  if (wants('rebuild')) {
    progress('rebuild the dashboard');
    figures.rebuild = await measureRebuild(stack);
  }
  return figures;
}
