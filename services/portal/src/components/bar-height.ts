/** CSS variable of the root: height of the bar at the bottom of the window. Toasts appear above it. */
const HEIGHT = '--bar-height';

/** `ref` callback for the bar at the bottom of the window; a page has at most one. */
export function trackBarHeight(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty(HEIGHT, `${bar.offsetHeight}px`));
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty(HEIGHT);
  };
}
