import { IconAlertTriangle, IconArrowDown, IconArrowUp, IconCheck } from '@tabler/icons-react';
import type { Edit } from '../draft/draft.js';
import { PreviousValue } from '../../components/previous-value.js';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { type Slot, currentOf } from '../lines/size-matrix.js';
import classes from './matrix.module.css';

/** A value with the one that it replaces struck through, and the difference, an icon and a color. */
export function CellValue({ slot, edit, wrong }: { slot: Slot; edit: Edit | undefined; wrong: boolean }) {
  const { quantity, price } = useFormats();
  const terms = useTexts(TERMS);
  const written = slot.kind === 'price' ? price : quantity;
  const typed = edit?.typed;
  if (typeof typed === 'string') {
    return (
      <span className={classes.value} title={typed}>
        <IconAlertTriangle size={12} aria-hidden />
        <span className={classes.typed}>{typed}</span>
      </span>
    );
  }
  const current = typed === undefined ? currentOf(slot) : (typed ?? slot.original);
  const before = slot.agreed !== null && slot.agreed !== current ? slot.agreed : slot.original;
  if (before === current) {
    return (
      <span className={classes.value}>
        {wrong && <IconAlertTriangle size={12} aria-hidden />}
        {written(current)}
      </span>
    );
  }
  const agreed = slot.agreed === current;
  const Icon = wrong ? IconAlertTriangle : agreed ? IconCheck : current > before ? IconArrowUp : IconArrowDown;
  const tone = wrong ? undefined : agreed ? classes.agreed : current > before ? classes.up : classes.down;
  const difference = `${current > before ? '+' : '−'}${written(Math.abs(current - before))}`;
  return (
    <>
      <span className={`${classes.value} ${tone ?? ''}`}>
        <Icon size={12} aria-hidden />
        {written(current)}
      </span>
      <span className={classes.before}>
        <PreviousValue label={before === slot.agreed ? terms.agreed : terms.original} value={written(before)} />{' '}
        {difference}
      </span>
    </>
  );
}
