import { appendFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { PortalNote } from '../../deploy/local/commands/tests/portal-report.js';

interface Measured {
  /** Cumulative layout shift as Core Web Vitals sum it up, but over the whole stay. */
  layoutShift: number;
  /** The same with what moves within half a second of a click or a key, which Core Web Vitals leave out. */
  anyShift: number;
  /** Tasks of the main thread above 50 ms, milliseconds each. */
  longTasks: number[];
}

type Shift = PerformanceEntry & {
  value: number;
  hadRecentInput: boolean;
  sources: { previousRect: DOMRectReadOnly }[];
};

/** Measures what happens in a page from its next load on. */
export async function measure(page: Page): Promise<() => Promise<Measured>> {
  await page.addInitScript(() => {
    // What opens is laid out in the corner, unseen, and then put where it belongs.
    const isPlaced = ({ previousRect: { x, y } }: Shift['sources'][number]) => x === 0 && y === 0;
    const measured = { layoutShift: 0, anyShift: 0, longTasks: [] as number[] };
    Object.assign(globalThis, { measured });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (!entry.sources.every(isPlaced)) measured.anyShift += entry.value;
        if (!entry.hadRecentInput) measured.layoutShift += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
    new PerformanceObserver((list) => {
      measured.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
    }).observe({ type: 'longtask', buffered: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { measured: Measured }).measured);
}

/** Bytes of scripts and styles as they came over the network, from now on. */
export async function countBytes(page: Page): Promise<() => number> {
  const devtools = await page.context().newCDPSession(page);
  const counted = new Set<string>();
  let bytes = 0;
  devtools.on('Network.responseReceived', ({ requestId, response: { url } }) => {
    if (/\.(js|css)$/.test(url)) counted.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (counted.has(requestId)) bytes += encodedDataLength;
  });
  await devtools.send('Network.enable');
  return () => bytes;
}

/** For the report at the end of the run. */
export function note(one: PortalNote): void {
  const file = process.env.PORTAL_NOTES;
  if (!file) throw new Error('run it by "npm run test:portal", which says where notes go');
  appendFileSync(file, `${JSON.stringify(one)}\n`);
}

/** For people who read the run. */
export const tell = (line: string): void => note({ kind: 'told', line });
