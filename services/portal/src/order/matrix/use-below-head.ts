import { type RefObject, useEffect } from 'react';

/** How much of the window is taken above, in pixels: the margin at which the frame's own style says that it scrolls into view. */
const aboveOf = (frame: HTMLElement): number => Number.parseFloat(getComputedStyle(frame).scrollMarginTop);

/** Keeps the labels of the grid right below what stays above the page: `--covered` is how much of the frame is behind that. */
export function useBelowHead(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const place = () => {
      const element = frame.current;
      if (!element) return;
      const covered = Math.max(0, aboveOf(element) - element.getBoundingClientRect().top);
      element.style.setProperty('--covered', `${covered}px`);
    };
    place();
    addEventListener('scroll', place, { passive: true });
    addEventListener('resize', place);
    return () => {
      removeEventListener('scroll', place);
      removeEventListener('resize', place);
    };
  }, [frame]);
}

/** Scrolls the page as far as a cell is behind what stays above it, the grid's labels of `labels` pixels among that. */
export function bringOut(frame: HTMLElement, cell: HTMLElement, labels: number): void {
  const behind = aboveOf(frame) + labels - cell.getBoundingClientRect().top;
  if (behind > 0) scrollBy({ top: -behind, behavior: 'instant' });
}
