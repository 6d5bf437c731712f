import { useWindowEvent } from '@mantine/hooks';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type ClipboardEvent,
  type MouseEvent,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  type RefObject,
  useCallback,
  useEffect,
} from 'react';
import type { OrderDetail } from '../../api/schemas.js';
import { usePrinting } from '../../components/use-printing.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { onFieldKey, onGridKey } from './grid-keys.js';
import { GridFooter, GridHeader, SizesLine, StyleTotal, columnsOf } from './grid-parts.js';
import { MatrixRow } from './matrix-row.js';
import { MATRIX } from './texts.js';
import { type GridUse, HEADER_PX, ROW_PX } from './use-grid.js';
import type { MatrixUse } from './use-matrix.js';
import { minNameWidth, minWidthOf, nameWidthsOf, widthsOf } from './widths.js';
import classes from './matrix.module.css';

const LABELS_PX = 32;

/** The matrix as a virtualized grid. */
export function MatrixGrid({ order, matrix, grid }: { order: OrderDetail; matrix: MatrixUse; grid: GridUse }) {
  const texts = useTexts(MATRIX);
  const terms = useTexts(TERMS);
  const { shown, stateOf, markOf, mayEdit, changedByOthers, highlighted, editable } = matrix;
  const { runs, width } = matrix.matrix;
  const formats = useFormats();
  const widthsAfter = useMemo(
    () => widthsOf(matrix.matrix, order.currency, formats),
    [matrix.matrix, order.currency, formats],
  );
  const widths = useMemo(() => widthsAfter(matrix.edits), [widthsAfter, matrix.edits]);
  const names = nameWidthsOf(widths, width);
  const { frame, selection, range, editing } = grid;
  const focused = shown.findIndex((line) => line.kind === 'row' && line.index === selection.focus.row);

  const isPrinting = usePrinting();
  // oxlint-disable-next-line react/incompatible-library -- its result is not passed to memoized components
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => (shown[index]?.kind === 'sizes' ? LABELS_PX : ROW_PX),
    getItemKey: (index) => shown[index]?.key ?? index,
    scrollMargin: HEADER_PX,
    overscan: isPrinting ? shown.length : 8,
    useFlushSync: false,
    // The focused row is rendered at any scroll position; otherwise the keyboard focus would be lost.
    rangeExtractor: (seen) =>
      focused === -1
        ? defaultRangeExtractor(seen)
        : [...new Set([...defaultRangeExtractor(seen), focused])].toSorted((a, b) => a - b),
  });
  const show = (cell: HTMLElement) => {
    if (frame.current) reveal(frame.current, cell, grid.follow.current === 'pointer');
  };
  const followSelection = useEffectEvent(() => {
    if (!grid.follow.current) return;
    const { row, column } = selection.focus;
    const cell = frame.current?.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`);
    if (cell) {
      // Before `onFocus`, which scrolls the page to the cell.
      cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      cell.focus({ preventScroll: true });
      show(cell);
    }
    grid.follow.current = null;
  });
  useLayoutEffect(() => followSelection(), [grid.followRequests]);
  useBelowHeader(frame);

  const point = (event: MouseEvent<HTMLElement>) => {
    const { row, column } = (event.target as HTMLElement).closest<HTMLElement>('[data-column]')?.dataset ?? {};
    return row === undefined || column === undefined ? null : { row: Number(row), column: Number(column) };
  };
  const onMouseDown = (event: MouseEvent<HTMLElement>) => {
    if (event.button !== 0 || event.target instanceof HTMLInputElement) return;
    const head = (event.target as HTMLElement).closest<HTMLElement>('[data-head]')?.dataset.head;
    const place = point(event);
    if (place === null && head === undefined) return;
    event.preventDefault();
    // Commits text typed in another field.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    if (place) grid.select({ anchor: event.shiftKey ? selection.anchor : place, focus: place }, 'pointer');
    else
      grid.select({ anchor: { row: Number(head), column: width }, focus: { row: Number(head), column: 0 } }, 'pointer');
  };
  const onMouseMove = (event: MouseEvent<HTMLElement>) => {
    const place = event.buttons === 1 && editing === null ? point(event) : null;
    if (!place || (place.row === selection.focus.row && place.column === selection.focus.column)) return;
    grid.select({ anchor: selection.anchor, focus: place }, 'pointer');
  };

  /** Copies the selected cells. Returns false in a field, where the browser itself copies. */
  const copy = (event: ClipboardEvent<HTMLElement>): boolean => {
    if (event.target instanceof HTMLInputElement) return false;
    event.preventDefault();
    event.clipboardData.setData('text/plain', grid.copy());
    return true;
  };

  const items = virtual.getVirtualItems();
  const top = shown[virtual.range?.startIndex ?? 0];
  const run = top === undefined ? 0 : top.kind === 'row' ? top.row.run : top.run;
  let end = HEADER_PX;
  return (
    <div
      ref={frame}
      className={classes.frame}
      style={
        {
          '--style': names.style,
          '--color': names.color,
          // Width of the names when the grid scrolls sideways.
          '--names': `${minNameWidth(widths.style) + minNameWidth(widths.color)}px`,
        } as CSSProperties
      }
    >
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table with keyboard navigation
        role="grid"
        className={classes.grid}
        style={{ minWidth: minWidthOf(widths, width) }}
        data-many={range.top !== range.bottom || range.left !== range.right ? '' : undefined}
        aria-label={texts.grid}
        aria-rowcount={shown.length + 2}
        aria-multiselectable
        aria-readonly={!editable}
        onMouseDown={onMouseDown}
        onMouseMove={onMouseMove}
        onFocus={({ target }) => {
          show(target);
          // A screen reader moves the focus itself, so the selection follows.
          const { row, column } = target.dataset;
          const place = { row: Number(row), column: Number(column) };
          if (column === undefined || (place.row === selection.focus.row && place.column === selection.focus.column))
            return;
          grid.setSelection({ anchor: place, focus: place });
        }}
        onDoubleClick={(event) => point(event) && grid.edit()}
        onKeyDown={(event) => {
          if (event.target instanceof HTMLInputElement) onFieldKey(event, event.target, grid);
          else onGridKey(event, grid, editable);
        }}
        onInput={({ nativeEvent }) => grid.onInput(nativeEvent)}
        onCopy={copy}
        onCut={(event) => {
          if (copy(event) && editable) grid.clear();
        }}
        onPaste={(event) => {
          if (event.target instanceof HTMLInputElement || !editable) return;
          event.preventDefault();
          grid.paste(event.clipboardData.getData('text/plain'));
        }}
      >
        {columnsOf(widths, width)}
        <GridHeader labels={runs[run] ?? []} width={width} />
        <tbody>
          {items.flatMap((item) => {
            const line = shown[item.index];
            if (!line) return [];
            const gap = item.start - end;
            end = item.end;
            const space = gap > 0 ? [<Space key={`before ${line.key}`} height={gap} />] : [];
            const ariaIndex = item.index + 2;
            if (line.kind === 'sizes')
              return [...space, <SizesLine key={line.key} labels={runs[line.run] ?? []} {...{ width, ariaIndex }} />];
            if (line.kind === 'total') {
              const { style } = line;
              return [...space, <StyleTotal key={line.key} run={line.run} {...{ style, matrix, ariaIndex }} />];
            }
            const isFocused = line.index === selection.focus.row;
            const isSelected = line.index >= range.top && line.index <= range.bottom;
            const label = runs[line.row.run]?.[selection.focus.column] ?? terms.unitPrice;
            return [
              ...space,
              <MatrixRow
                key={line.key}
                {...{
                  row: line.row,
                  index: line.index,
                  first: line.first,
                  ariaIndex,
                  width,
                  markOf,
                  mayEdit,
                  changedByOthers,
                  highlighted,
                }}
                state={stateOf(line.row)}
                left={isSelected ? range.left : -1}
                right={isSelected ? range.right : -1}
                focus={isFocused ? selection.focus.column : -1}
                editing={isFocused ? editing : null}
                label={isFocused ? `${line.row.style} ${line.row.color} ${label}` : ''}
                onCommit={isFocused ? grid.commit : undefined}
              />,
            ];
          })}
          {virtual.getTotalSize() + HEADER_PX - end > 0 && <Space height={virtual.getTotalSize() + HEADER_PX - end} />}
        </tbody>
        <GridFooter order={order} matrix={matrix} ariaIndex={shown.length + 2} />
      </table>
    </div>
  );
}

/** Placeholder for rows that are not rendered. */
const Space = ({ height }: { height: number }) => (
  <tr aria-hidden>
    <td className={classes.space} style={{ height }} />
  </tr>
);

/** Height of the sticky headers at the top of the window in pixels, which is the frame's `scroll-margin-top`. */
const stickyHeight = (frame: HTMLElement): number => Number.parseFloat(getComputedStyle(frame).scrollMarginTop);

/** Keeps the grid's labels right below the sticky headers. `--covered`: how much of the frame is behind the headers. */
function useBelowHeader(frame: RefObject<HTMLElement | null>): void {
  const place = useCallback(() => {
    const element = frame.current;
    if (!element) return;
    const covered = Math.max(0, stickyHeight(element) - element.getBoundingClientRect().top);
    element.style.setProperty('--covered', `${covered}px`);
  }, [frame]);
  useEffect(place, [place]);
  useWindowEvent('scroll', place, { passive: true });
  useWindowEvent('resize', place);
}

/**
 * Scrolls the page until a cell is behind neither the sticky headers and the grid's labels nor the save bar. `isPressed`: a cell beside the
 * save bar stays, because another one would come under the pointer.
 */
function reveal(frame: HTMLElement, cell: HTMLElement, isPressed: boolean): void {
  const { top, bottom } = cell.getBoundingClientRect();
  const above = stickyHeight(frame) + HEADER_PX - top;
  const below = isPressed ? 0 : bottom + Number.parseFloat(getComputedStyle(frame).scrollMarginBottom) - innerHeight;
  if (above > 0) scrollBy({ top: -above, behavior: 'instant' });
  else if (below > 0) scrollBy({ top: below, behavior: 'instant' });
}
