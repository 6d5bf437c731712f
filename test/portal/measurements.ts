import type { Page } from 'playwright-core';

interface Measured {
  /** Cumulative layout shift as in Core Web Vitals, but over the whole visit. */
  layoutShift: number;
  /** Includes shifts within half a second of a click or a key, which Core Web Vitals exclude. */
  anyShift: number;
}

type Shift = PerformanceEntry & {
  value: number;
  hadRecentInput: boolean;
  sources: { previousRect: DOMRectReadOnly }[];
};

/** Measures layout shifts of a page from its next load on. */
export async function measure(page: Page): Promise<() => Promise<Measured>> {
  await page.addInitScript(() => {
    // A popup is first laid out invisibly in the corner and then moved to its place.
    const isPlaced = ({ previousRect: { x, y } }: Shift['sources'][number]) => x === 0 && y === 0;
    const measured = { layoutShift: 0, anyShift: 0 };
    Object.assign(globalThis, { measured });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (!entry.sources.every(isPlaced)) measured.anyShift += entry.value;
        if (!entry.hadRecentInput) measured.layoutShift += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { measured: Measured }).measured);
}

/** Counts the bytes of scripts and styles that come over the network from now on. */
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
