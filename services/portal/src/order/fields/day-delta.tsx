import { IconArrowDownRight, IconArrowUpRight, IconEqual } from '@tabler/icons-react';
import { useFormats, useTexts } from '../../language/language.js';
import { daysFrom } from './dates.js';
import { FIELDS } from './texts.js';
import classes from './fields.module.css';

/** Number of days by which a date moved, by sign, icon and color; later is worse. */
export function DayDelta({ from, to }: { from: string; to: string }) {
  const texts = useTexts(FIELDS);
  const { days } = useFormats();
  const moved = daysFrom(from, to);
  const Icon = moved > 0 ? IconArrowUpRight : moved < 0 ? IconArrowDownRight : IconEqual;
  return (
    <span className={classes.delta} data-moved={Math.sign(moved)}>
      <Icon size={12} aria-hidden />
      {moved === 0 ? texts.unmoved : days(moved, true)}
    </span>
  );
}
