import type { KeyboardEvent } from 'react';
import { isComposing } from '../../components/forms/is-composing.js';
import { ARROWS, at, moved, within } from './selection.js';
import type { GridUse } from './use-grid.js';

/** Commands by the key pressed with Ctrl or Cmd. */
const COMMANDS: Readonly<Record<string, (grid: GridUse, shift: boolean) => void>> = {
  z: (grid, shift) => (shift ? grid.redo() : grid.undo()),
  y: (grid) => grid.redo(),
  d: (grid) => grid.fill('down'),
  r: (grid) => grid.fill('right'),
};

/** Handles keys in the grid while no cell is open, as spreadsheets do. Tab leaves the grid. */
export function onGridKey(event: KeyboardEvent, grid: GridUse, mayEdit: boolean): void {
  const { key, shiftKey: shift, altKey } = event;
  const ctrl = event.ctrlKey || event.metaKey;
  if (altKey) return;
  const next = moved(grid.selection, { key, ctrl, shift }, grid.field());
  const command = ctrl ? COMMANDS[key.toLowerCase()] : undefined;
  if (next) grid.select(next);
  else if (!mayEdit) return;
  else if (command) command(grid, shift);
  else if (ctrl) return;
  else if (key === 'Enter' || key === 'F2') grid.edit();
  else if (key === 'Delete' || key === 'Backspace') grid.clear();
  else if (key.length === 1 && key !== ' ') grid.edit(key);
  else return;
  event.preventDefault();
}

/** Handles keys in the field of a cell; all others keep their default action. */
export function onFieldKey(event: KeyboardEvent<HTMLElement>, field: HTMLInputElement, grid: GridUse): void {
  // During IME composition, Enter and arrows select among the suggestions.
  if (isComposing(event.nativeEvent)) return;
  const { key, shiftKey: shift } = event;
  if (key === 's' && (event.ctrlKey || event.metaKey)) {
    // The page saves; the focus returns to the cell.
    field.blur();
    grid.stopEditing();
    return;
  }
  const { row, column } = grid.selection.focus;
  const step =
    key === 'Enter'
      ? ([shift ? -1 : 1, 0] as const)
      : key === 'Tab'
        ? ([0, shift ? -1 : 1] as const)
        : grid.editing?.over
          ? ARROWS[key]
          : undefined;
  if (key !== 'Escape' && !step) return;
  event.preventDefault();
  const { value } = field;
  if (key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    grid.commitAll(value);
    grid.stopEditing();
    return;
  }
  // Blur commits the text of the field.
  field.blur();
  if (step) grid.select(within(at(row + step[0], column + step[1]), grid.field()));
  else grid.stopEditing();
}
