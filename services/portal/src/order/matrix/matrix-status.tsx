import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { inputErrorOf } from '../draft/parse-input.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { type Slot, cellName } from '../lines/size-matrix.js';
import { placesIn } from './selection.js';
import { MATRIX } from './texts.js';
import type { GridUse } from './use-grid.js';
import type { MatrixUse } from './use-matrix.js';
import { valueOf } from '../draft/draft.js';
import classes from './matrix.module.css';

/** One line below the matrix: of the cell or the cells that are selected, and what others changed. */
export function MatrixStatus({ matrix, grid }: { matrix: MatrixUse; grid: GridUse }) {
  const texts = useTexts(MATRIX);
  const { quantity } = useFormats();
  const { changedByOthers, settle, conflicts } = matrix;
  // Where something is to be decided, it is told with that.
  const isTold = changedByOthers.size > 0 && conflicts.size === 0;
  return (
    <div className={classes.status} role="status">
      <span className={classes.statusCell}>
        <OfSelection matrix={matrix} grid={grid} />
      </span>
      {isTold && (
        <span className={classes.changedByOthers}>
          {texts.changedByOthers(quantity(changedByOthers.size))}
          <Button size="xs" variant="subtle" onClick={() => settle(() => false)}>
            {texts.understood}
          </Button>
        </span>
      )}
    </div>
  );
}

function OfSelection({ matrix, grid }: { matrix: MatrixUse; grid: GridUse }): ReactNode {
  const texts = useTexts(MATRIX);
  const terms = useTexts(TERMS);
  const { quantity } = useFormats();
  const { edits, find } = matrix;
  if (grid.outside > 0) return texts.outside(quantity(grid.outside));
  const slots = placesIn(grid.range).flatMap((place) => find(place) ?? []);
  if (slots.length > 1) {
    const pieces = slots.filter(({ kind }) => kind === 'quantity');
    return texts.selected(
      quantity(slots.length),
      quantity(pieces.reduce((sum, slot) => sum + valueOf(slot, edits), 0)),
    );
  }
  const slot = find(grid.selection.focus);
  if (!slot) return null;
  return (
    <>
      <span className={classes.named}>{cellName(slot, terms.unitPrice)}</span>
      <OfCell matrix={matrix} slot={slot} />
    </>
  );
}

function OfCell({ matrix, slot }: { matrix: MatrixUse; slot: Slot }): ReactNode {
  const texts = useTexts(MATRIX);
  const terms = useTexts(TERMS);
  const { quantity, price } = useFormats();
  const { edits, conflicts, refusalOf } = matrix;
  const written = slot.kind === 'price' ? price : quantity;
  const edit = edits.get(slot.key);
  const fault = inputErrorOf(edit?.typed ?? null, slot.kind);
  if (fault) return <span className={classes.faulty}>{texts.faults[fault]}</span>;
  const refusal = edit ? refusalOf(slot.key, edit) : null;
  if (refusal !== null) return <span className={classes.faulty}>{refusal}</span>;
  const theirs = conflicts.get(slot.key)?.theirs ?? null;
  if (theirs !== null) return <span className={classes.conflict}>{texts.changedTo(written(theirs))}</span>;
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
