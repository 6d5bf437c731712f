import type { ScaleContext } from './context.js';
import { type FanOutResult, measureFanOut } from './fan-out.js';
import { measureInboxes } from './inbox.js';
import { type ListRow, measureLists } from './lists.js';
import type { ImportFigures } from './prepare.js';
import { type RebuildResult, measureRebuild } from './rebuild.js';
import { type RequestRow, measureTransport } from './requests.js';
import { measureOrders } from './writes.js';

/** Orders for each transition that is fanned out. */
const ORDERS_A_TRANSITION = 10;

/** What one run measured; absent parts were not asked for. */
export interface ScaleFigures {
  imports?: ImportFigures;
  lists?: ListRow[];
  /** One after another on one connection: transport alone, reads and writes of orders, inboxes. */
  requests?: RequestRow[];
  fanOut?: FanOutResult;
  rebuild?: RebuildResult;
}

/** Measures every part that is wanted but the imports, on a stack whose orders are there. */
export async function measureScale(context: ScaleContext): Promise<ScaleFigures> {
  const { stack, settlement, options, progress } = context;
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
