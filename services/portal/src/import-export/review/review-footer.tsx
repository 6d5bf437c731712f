import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { trackBarHeight } from '../../components/bar-height.js';
import { useFormats, useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import { type OrderImport, applicablePreview, needsCheck } from '../run/order-import.js';
import { type Summary, changesOf } from '../run/summary.js';
import type { ImportUse } from '../run/use-import.js';
import { RunProgress } from './run-progress.js';
import styles from '../../theme/text.module.css';
import classes from './import.module.css';

/** What applying would change, then the progress, then the result. */
export function ReviewFooter(props: { use: ImportUse; parts: readonly OrderImport[]; summary: Summary }) {
  const { use, parts, summary } = props;
  const texts = useTexts(IMPORT);
  const { quantity } = useFormats();
  if (use.phase === 'applying') {
    return (
      <footer ref={trackBarHeight} className={classes.foot}>
        <RunProgress progress={use.progress} isApplying stop={use.stop} />
      </footer>
    );
  }
  const { applied, faulty, refused } = summary.byKind;
  const todo = parts.filter((part) => applicablePreview(part) !== null);
  const changes = todo.reduce((sum, part) => sum + changesOf(part).length, 0);
  const unanswered = todo.filter(({ state }) => state.at === 'refused').length;
  const unchecked = parts.filter(needsCheck);
  const ordersOf = (count: number) => texts.orders(count, quantity(count));
  const summaryTexts = [
    ...(applied > 0 ? [texts.applied(ordersOf(applied))] : []),
    ...(todo.length > 0 ? [texts.ready(texts.changes(changes, quantity(changes)), ordersOf(todo.length))] : []),
    ...(applied + todo.length > 0 && faulty + refused - unanswered > 0
      ? [texts.notReady(ordersOf(faulty + refused - unanswered))]
      : []),
    ...(unchecked.length > 0 ? [texts.unchecked(ordersOf(unchecked.length))] : []),
  ];
  const nothing = faulty > 0 ? texts.nothingFaulty : texts.nothing;
  return (
    <footer ref={trackBarHeight} className={classes.foot}>
      <p className={classes.footText} role="status">
        {applied > 0 && <IconCheck size={16} className={styles.good} aria-hidden />}
        {summaryTexts.length > 0 ? summaryTexts.join(' · ') : nothing}
      </p>
      <div className={classes.footButtons}>
        {unchecked.length > 0 && (
          <Button variant="default" onClick={() => void use.recheck(parts)}>
            {unchecked.some(({ state }) => state.at === 'waiting') ? texts.proceed : texts.check}
          </Button>
        )}
        {applied > 0 && (
          <Button variant={todo.length > 0 ? 'default' : 'filled'} onClick={use.forget}>
            {texts.next}
          </Button>
        )}
        {(todo.length > 0 || applied === 0) && (
          <Button disabled={todo.length === 0} onClick={() => void use.apply(parts)}>
            {unanswered > 0 ? texts.again : texts.apply}
          </Button>
        )}
      </div>
    </footer>
  );
}
