import type { ReactNode } from 'react';
import { faultOf } from '../draft/typed.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { SaveButtons } from './matrix-tools.js';
import { placesIn } from './selection.js';
import { MATRIX } from './texts.js';
import type { GridUse } from './use-grid.js';
import type { MatrixUse } from './use-matrix.js';
import { valueOf } from '../draft/draft.js';
import classes from './matrix.module.css';

/** One line below the matrix: of the cell or the cells that are selected, and how much is not saved. */
export function MatrixStatus({
  matrix,
  grid,
  narrow,
  save,
}: {
  matrix: MatrixUse;
  grid: GridUse;
  narrow: boolean;
  save: () => void;
}) {
  const texts = useTexts(MATRIX);
  const { quantity } = useFormats();
  const { edits, faulty, saving } = matrix;
  const saved = saving.isSuccess && edits.size === 0;
  return (
    <div className={`${classes.status} ${narrow ? classes.statusNarrow : ''}`} role="status">
      <span className={classes.statusCell}>{!narrow && <OfSelection matrix={matrix} grid={grid} />}</span>
      {faulty > 0 && <span className={classes.faulty}>{texts.faulty(quantity(faulty))}</span>}
      {edits.size > 0 && <span className={classes.unsaved}>{texts.unsaved(quantity(edits.size))}</span>}
      {saved && <span>{texts.saved}</span>}
      {narrow && matrix.editable && <SaveButtons matrix={matrix} save={save} />}
    </div>
  );
}

function OfSelection({ matrix, grid }: { matrix: MatrixUse; grid: GridUse }): ReactNode {
  const texts = useTexts(MATRIX);
  const terms = useTexts(TERMS);
  const { quantity, price } = useFormats();
  const { edits, conflicts, refusalOf, find } = matrix;
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
  const written = slot.kind === 'price' ? price : quantity;
  const edit = edits.get(slot.key);
  const fault = faultOf(edit?.typed ?? null, slot.kind);
  if (fault) return <span className={classes.faulty}>{texts.faults[fault]}</span>;
  const refusal = edit ? refusalOf(slot.key, edit) : null;
  if (refusal !== null) return <span className={classes.faulty}>{refusal}</span>;
  const theirs = conflicts.get(slot.key)?.theirs ?? null;
  if (theirs !== null) return <span className={classes.conflict}>{texts.conflict.cell(written(theirs))}</span>;
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
