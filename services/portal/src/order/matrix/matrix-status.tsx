import { Button } from '@mantine/core';
import { MAX_MESSAGE_ROWS } from '@po/contracts/constants';
import { IconMessage } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { MAX_VALUE, inputErrorOf } from '../draft/parse-input.js';
import { useFocusFallback } from '../../components/dialogs/use-return-focus.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { messageRows } from '../conversation/message-cells.js';
import { CONVERSATION } from '../conversation/texts.js';
import { useAskAbout } from '../conversation/use-message-draft.js';
import { type Slot, cellName } from '../lines/size-matrix.js';
import { placesIn } from './selection.js';
import { MATRIX } from './texts.js';
import type { GridUse } from './use-grid.js';
import type { MatrixUse } from './use-matrix.js';
import { valueOf } from '../draft/draft.js';
import styles from '../../theme/text.module.css';
import classes from './matrix.module.css';

/** Status line below the matrix: the selected cells, if it is a grid, and changes by others. */
export function MatrixStatus({ poRef, matrix, grid, narrow }: AskAboutProps & { narrow: boolean }) {
  const texts = useTexts(MATRIX);
  const { quantity } = useFormats();
  const { changedByOthers, settle, conflicts } = matrix;
  // If there are conflicts, their notice reports all changes.
  const showsChanges = changedByOthers.size > 0 && conflicts.size === 0;
  useFocusFallback(String(showsChanges));
  const understand = () => {
    settle(() => false);
    // The button disappears, so the focus returns to the grid.
    if (!narrow) grid.stopEditing();
  };
  return (
    <div className={narrow && !showsChanges ? undefined : classes.status}>
      {!narrow && (
        <div className={classes.selection} role="status">
          <SelectionStatus matrix={matrix} grid={grid} />
        </div>
      )}
      {/* Outside the first status, so that screen readers announce neither the changes nor the buttons with each cell. */}
      <div className={classes.changedByOthers}>
        <span role="status">{showsChanges && texts.changedByOthers(quantity(changedByOthers.size))}</span>
        {showsChanges && (
          <Button size="xs" variant="subtle" onClick={understand}>
            {texts.understood}
          </Button>
        )}
      </div>
      {!narrow && <AskAbout poRef={poRef} matrix={matrix} grid={grid} />}
    </div>
  );
}

interface AskAboutProps {
  poRef: string;
  matrix: MatrixUse;
  grid: GridUse;
}

/** Button that adds the selected cells to the message draft. */
function AskAbout({ poRef, matrix, grid }: AskAboutProps) {
  const texts = useTexts(CONVERSATION);
  const { quantity } = useFormats();
  const ask = useAskAbout(poRef);
  const { rows, find } = matrix;
  const rowsAsked = messageRows(
    rows,
    placesIn(grid.range).flatMap((place) => find(place) ?? []),
  );
  const count = rowsAsked.length;
  if (!ask || count === 0) return null;
  const isTooMuch = count > MAX_MESSAGE_ROWS;
  return (
    <Button
      size="xs"
      variant="subtle"
      className={classes.ask}
      leftSection={<IconMessage size={14} aria-hidden />}
      disabled={isTooMuch}
      title={isTooMuch ? texts.tooManyCells(quantity(MAX_MESSAGE_ROWS)) : undefined}
      onClick={() => ask(rowsAsked)}
    >
      {texts.askAbout(quantity(count), count === 1)}
    </Button>
  );
}

function SelectionStatus({ matrix, grid }: { matrix: MatrixUse; grid: GridUse }): ReactNode {
  const texts = useTexts(MATRIX);
  const terms = useTexts(TERMS);
  const { quantity } = useFormats();
  const { edits, find } = matrix;
  if (grid.outside > 0) return texts.outside(quantity(grid.outside));
  const slots = placesIn(grid.range).flatMap((place) => find(place) ?? []);
  if (slots.length > 1) {
    const pieces = slots.filter(({ kind }) => kind === 'quantity');
    const sum = pieces.reduce((all, slot) => all + valueOf(slot, edits), 0);
    return texts.selected(quantity(slots.length), pieces.length > 0 ? quantity(sum) : null);
  }
  const slot = find(grid.selection.focus);
  if (!slot) return null;
  return (
    <>
      <span className={classes.named}>{cellName(slot, terms.unitPrice)}</span>
      <CellStatus matrix={matrix} slot={slot} />
    </>
  );
}

function CellStatus({ matrix, slot }: { matrix: MatrixUse; slot: Slot }): ReactNode {
  const texts = useTexts(MATRIX);
  const terms = useTexts(TERMS);
  const { quantity, price } = useFormats();
  const written = slot.kind === 'price' ? price : quantity;
  const fault = useFaultOf(matrix)(slot);
  if (fault !== null) return <span className={styles.danger}>{fault}</span>;
  const theirs = matrix.conflicts.get(slot.key)?.theirs ?? null;
  if (theirs !== null) return <span className={styles.warning}>{texts.changedTo(written(theirs))}</span>;
  const facts: readonly (readonly [string, number | null])[] = [
    [terms.original, slot.original],
    [terms.reply, slot.reply],
    [terms.agreed, slot.agreed],
  ];
  return facts.map(
    ([name, value]) =>
      value !== null && (
        <span key={name} className={classes.fact}>
          {name} <b>{written(value)}</b>
        </span>
      ),
  );
}

/** Returns a function that says why an entry cannot be saved; null if it can. */
export function useFaultOf({ edits, refusalOf }: MatrixUse): (slot: Slot) => string | null {
  const { faults } = useTexts(MATRIX);
  const { quantity, price } = useFormats();
  return ({ key, kind }) => {
    const edit = edits.get(key);
    const fault = inputErrorOf(edit?.typed ?? null, kind);
    if (fault === 'tooLarge') return faults.tooLarge((kind === 'price' ? price : quantity)(MAX_VALUE[kind]));
    if (fault === 'unclear') return faults.unclear[kind];
    if (fault) return faults[fault];
    return edit ? refusalOf(key, edit) : null;
  };
}
