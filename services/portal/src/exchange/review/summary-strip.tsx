import { useFormats, useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import type { Part } from '../run/part.js';
import { rowsUnchanged, summaryOf } from '../run/summary.js';
import classes from './import.module.css';

/** The counts of a file; dashes until they are known. */
export function SummaryStrip({ parts, isChecking }: { parts: readonly Part[]; isChecking: boolean }) {
  const { summary: texts } = useTexts(IMPORT);
  const { quantity } = useFormats();
  const { rows, changes, errors } = summaryOf(parts);
  const written = (count: number) => (isChecking ? '–' : quantity(count));
  const facts: readonly (readonly [name: string, value: string, tone: string | null])[] = [
    [texts.rows, quantity(rows), null],
    [texts.changes, written(changes), changes > 0 ? 'changes' : null],
    [texts.same, written(rowsUnchanged(parts)), null],
    [texts.errors, written(errors), errors > 0 ? 'errors' : null],
  ];
  return (
    <dl className={classes.strip} aria-label={texts.title}>
      {facts.map(([name, value, tone]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-tone={tone}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
