/** Of the root: how high the bar at the bottom of the window is, above which stands what is said in passing. */
const HEIGHT = '--bar-height';

/** The `ref` of a bar at the bottom of the window, of which a page has one. */
export function keepAbove(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty(HEIGHT, `${bar.offsetHeight}px`));
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty(HEIGHT);
  };
}
