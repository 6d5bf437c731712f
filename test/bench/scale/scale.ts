import type { ScaleContext } from './context.js';
import { type ListRow, measureLists } from './lists.js';
import type { ImportFigures } from './prepare.js';

/** What one run measured; absent parts were not asked for. */
export interface ScaleFigures {
  imports?: ImportFigures;
  lists?: ListRow[];
}

/** Measures every part that is wanted but the imports, on a stack whose orders are there. */
export async function measureScale(context: ScaleContext): Promise<ScaleFigures> {
  const { options } = context;
  const wants = (part: (typeof options.parts)[number]) => options.parts.includes(part);
  const figures: ScaleFigures = {};
  if (wants('lists')) figures.lists = await measureLists(context);
  return figures;
}
